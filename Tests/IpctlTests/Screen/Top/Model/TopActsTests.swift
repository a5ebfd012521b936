import Control
import RecordKeeping
import Testing
import Varlink

@testable import ipctl

/// The changes that `top` requests, the cards, and the selection.
@Suite struct TopActsTests {
    private let now = Sample.now

    /// Returns a model that has read a list of addresses.
    private func model(
        _ addresses: [String], pinned: Set<String> = [], isAdministrator: Bool = true
    ) throws -> TopModel {
        var model = TopModel(size: WindowSize(columns: 80, rows: 24))
        _ = model.nextRequest(at: now)
        model.handle(Sample.status { ($0.isAdministrator, $0.provider.quotas[0].resetsAt) = (isAdministrator, nil) })
        try read(addresses, pinned: pinned, into: &model)
        #expect(model.nextRequest(at: now) == nil)
        return model
    }

    private func read(_ addresses: [String], pinned: Set<String> = [], into model: inout TopModel) throws {
        guard case .page? = model.nextRequest(at: now) else { throw Unexpected() }
        let entries = try addresses.map { try Sample.placed(1, 1, address: $0, pinned: pinned.contains($0)) }
        model.handle(Control.List.Reply(entries: entries, next: nil, total: entries.count))
    }

    private struct Unexpected: Error {}

    private func press(_ keys: String, in model: inout TopModel) {
        for key in keys { model.handle(key == "\n" ? .enter : KeyPress.character(key)) }
    }

    private let three = ["192.0.2.1", "192.0.2.2", "192.0.2.3"]

    // MARK: Selection

    @Test func `the selection follows its address`() throws {
        var model = try model(three)
        press("j", in: &model)
        #expect(model.selection.address == "192.0.2.2")
        press("p", in: &model)
        _ = model.nextRequest(at: now)
        model.handle(Control.Label.Reply(changed: 1))
        try read(["192.0.2.2", "192.0.2.1", "192.0.2.3"], into: &model)
        #expect((model.selection.address, model.selection.position) == ("192.0.2.2", 0))
        model.requireRound()
        #expect(model.nextRequest(at: now + 1_000) == .status)
        model.handle(Sample.status())
        try read(["10.0.0.1", "10.0.0.2", "192.0.2.1", "192.0.2.2"], into: &model)
        #expect(model.selection.position == 3)
    }

    @Test func `if the selected address is gone, its row stays selected`() throws {
        var model = try model(three)
        press("j", in: &model)
        model.requireRound()
        _ = model.nextRequest(at: now + 1_000)
        model.handle(Sample.status())
        #expect(model.selection.address == "192.0.2.2")
        try read(["192.0.2.1", "192.0.2.3"], into: &model)
        #expect((model.selection.address, model.selection.position) == ("192.0.2.3", 1))
    }

    // MARK: Marks

    @Test func `Space marks and moves down, and u removes all marks`() throws {
        var model = try model(three, pinned: ["192.0.2.1"])
        press("  ", in: &model)
        #expect(model.marks == ["192.0.2.1": true, "192.0.2.2": false])
        #expect(model.selection.position == 2)
        press("k ", in: &model)
        #expect(model.marks == ["192.0.2.1": true])
        press("u", in: &model)
        #expect(model.marks == [:])
    }

    @Test func `a removed address is no longer marked`() throws {
        var model = try model(three)
        press("  ", in: &model)
        model.handle(try Sample.event(.removed, address: "192.0.2.1"))
        #expect(model.marks == ["192.0.2.2": false])
    }

    // MARK: Changes

    @Test func `p pins the selected entry, and unpins it if it is pinned`() throws {
        var model = try model(three, pinned: ["192.0.2.1"])
        press("p", in: &model)
        #expect(model.nextRequest(at: now) == .act(.pin(["192.0.2.1"], arePinned: true)))
        model.handle(Control.Label.Reply(changed: 1))
        #expect(model.message == .done("1 address unpinned"))
        press("j", in: &model)
        #expect(model.message == nil)
        // The list is read again after the first change.
        try read(three, into: &model)
        #expect(model.nextRequest(at: now) == nil)
    }

    @Test func `marked entries are pinned unless all are pinned`() throws {
        var model = try model(three, pinned: ["192.0.2.1"])
        press("  p", in: &model)
        let addresses = ["192.0.2.1", "192.0.2.2"]
        #expect(model.nextRequest(at: now) == .act(.pin(addresses, arePinned: false)))
        model.handle(Control.Label.Reply(changed: 1))
        #expect(model.message == .done("1 address pinned, 1 unchanged"))
        #expect(model.marks == ["192.0.2.1": true, "192.0.2.2": true])
        press("p", in: &model)
        #expect(model.nextRequest(at: now) == .act(.pin(addresses, arePinned: true)))
    }

    @Test func `r refreshes, and the reply is shown`() throws {
        var model = try model(three)
        press("r", in: &model)
        #expect(model.nextRequest(at: now) == .act(.refresh(["192.0.2.1"])))
        let reply = Control.Refresh.Reply(scheduled: 0, fresh: 1)
        model.handle(reply)
        #expect(model.message == .refreshed(reply))
        let lines = TopFrame(model: model, now: now).canvas.lines(on: .wide(80))
        #expect(lines[23].hasPrefix(" nothing to refresh: the record is current"))
    }

    @Test func `t adds the typed tags, and removes those with a dash`() throws {
        var model = try model(three)
        press("t", in: &model)
        #expect(model.overlay == .prompt(TopPrompt(purpose: .tags(addresses: ["192.0.2.1"]))))
        press("prod berlin -old\n", in: &model)
        #expect(model.overlay == nil)
        guard case .act(.label(let labelling))? = model.nextRequest(at: now) else { throw Unexpected() }
        #expect(labelling.addTags == ["prod", "berlin"])
        #expect(labelling.removeTags == ["old"])
        model.handle(Control.Label.Reply(changed: 1))
        #expect(model.message == .done("1 address tagged"))
        press("t-old\n", in: &model)
        guard case .act(.label(let untagging))? = model.nextRequest(at: now) else { throw Unexpected() }
        #expect((untagging.addTags, untagging.removeTags) == (nil, ["old"]))
        #expect(untagging.sentence(changed: 1) == "1 address untagged")
    }

    @Test(arguments: ["a,b", "#a", "192.0.2.1", "-", "-a,b"])
    func `an invalid tag is reported, and nothing is requested`(tag: String) throws {
        var model = try model(three)
        press("t\(tag)\n", in: &model)
        guard case .failed(let message)? = model.message else { throw Unexpected() }
        #expect(message.contains("tag"))
        #expect(model.nextRequest(at: now) == nil)
    }

    @Test func `an empty or cancelled prompt changes nothing`() throws {
        var model = try model(three)
        press("t  \n", in: &model)
        press("tx", in: &model)
        model.handle(KeyPress.escape)
        #expect(model.overlay == nil)
        #expect(model.nextRequest(at: now) == nil)
        #expect(model.message == nil)
    }

    @Test(arguments: ["r", "p", "t"]) func `without permission, the reason is shown`(key: String) throws {
        var model = try model(three, isAdministrator: false)
        press(key, in: &model)
        #expect(
            model.message == .failed("only root and members of the administrators' group can change the watch list"))
        #expect(model.overlay == nil)
        #expect(model.nextRequest(at: now) == nil)
    }

    @Test func `a refusal by the daemon is shown, and the program continues`() throws {
        for error in [.service(.permissionDenied), .storeFailed("full"), .unknown("x.y.Z")] as [ControlError] {
            var model = try model(three)
            press("p", in: &model)
            _ = model.nextRequest(at: now)
            let commandError = CommandError(error, from: "s")
            let isKnown = model.handle(commandError)
            #expect(isKnown)
            #expect(model.message == .failed(commandError.message))
        }
    }

    @Test func `an address that is no longer watched loses its mark`() throws {
        var model = try model(three)
        press("  p", in: &model)
        _ = model.nextRequest(at: now)
        let isKnown = model.handle(CommandError(.notWatched("192.0.2.1"), from: ""))
        #expect(isKnown)
        #expect(model.message == .failed("192.0.2.1 is not on the watch list"))
        #expect(model.marks == ["192.0.2.2": false])
    }

    @Test func `a change whose reply is missing is reported after a disconnection, and not repeated`() throws {
        var model = try model(three)
        press("pp", in: &model)
        _ = model.nextRequest(at: now)
        model.didDisconnect()
        guard case .failed(let message)? = model.message else { throw Unexpected() }
        #expect(message.contains("check whether the change was made"))
        press("p", in: &model)
        #expect(model.message == .failed("the daemon is disconnected"))
        #expect(model.nextRequest(at: now) == .status)
    }

    // MARK: Card and help

    @Test func `Enter shows the card, and its entry and history are read`() throws {
        var model = try model(three)
        press("j\n", in: &model)
        guard case .card(let card) = model.page else { throw Unexpected() }
        #expect((card.address, card.changes) == ("192.0.2.2", .unread))
        #expect(model.nextRequest(at: now) == .history(address: "192.0.2.2"))
        model.handle(Control.History.Reply(changes: []))
        #expect(model.nextRequest(at: now) == nil)
        #expect(model.nextRequest(at: now + 5_000) == .status)
        model.handle(Sample.status())
        #expect(model.nextRequest(at: now + 5_000) == .entry(address: "192.0.2.2"))
        model.handle(Control.List.Reply(entries: [], next: nil, total: 0))
        guard case .card(let updated) = model.page else { throw Unexpected() }
        #expect(updated.changes == .read([]))
        #expect(!updated.entry.watched)
        #expect(model.nextRequest(at: now + 5_000) == .history(address: "192.0.2.2"))
        press("q", in: &model)
        #expect(model.page == .list)
        #expect(!model.isOver)
        // A late reply is ignored.
        model.handle(Control.History.Reply(changes: []))
        #expect(model.page == .list)
    }

    @Test func `only the entry of the card is read`() {
        #expect(TopCard.entryParameters(of: "192.0.2.1").search == "192.0.2.1/32")
        #expect(TopCard.entryParameters(of: "2001:db8::1").search == "2001:db8::1/128")
    }

    @Test(arguments: [KeyPress.escape, .enter, .character("q")]) func `a key returns from the card`(key: KeyPress)
        throws
    {
        var model = try model(three)
        press("\n", in: &model)
        model.handle(key)
        #expect(model.page == .list)
    }

    @Test func `changes apply to the card, not to the marks`() throws {
        var model = try model(three)
        press(" \np", in: &model)
        #expect(model.nextRequest(at: now) == .act(.pin(["192.0.2.2"], arePinned: false)))
    }

    @Test func `the card scrolls, up to its last line`() throws {
        var model = try model(three)
        model.size = WindowSize(columns: 20, rows: 8)
        press("\nj", in: &model)
        guard case .card(let moved) = model.page else { throw Unexpected() }
        #expect(moved.offset == 1)
        model.handle(KeyPress.end)
        guard case .card(let last) = model.page else { throw Unexpected() }
        let lines = last.lines(columns: 20, now: now)
        #expect(last.offset == lines.count - 6)
        #expect(lines.allSatisfy { $0.text(on: .pipe).displayWidth <= 20 })
        let shown = TopFrame(model: model, now: now).canvas.lines(on: .wide(20))
        #expect(shown[6].hasPrefix("reading …"))
    }

    @Test func `the help opens from the list and the card, and any key returns`() throws {
        var model = try model(three)
        for start in ["?", "\n?"] {
            press(start, in: &model)
            #expect(model.overlay == .help(offset: 0))
            let lines = TopFrame(model: model, now: now).canvas.lines(on: .wide(80))
            #expect(lines.contains { $0.contains("pin, or unpin if all are pinned") })
            press("x", in: &model)
            #expect(model.overlay == nil)
        }
        #expect(model.page != .list)
    }

    @Test func `a help that does not fit scrolls`() throws {
        var model = try model(three)
        model.size = WindowSize(columns: 20, rows: 8)
        press("?j", in: &model)
        #expect(model.overlay == .help(offset: 1))
        press("x", in: &model)
        #expect(model.overlay == nil)
    }
}
