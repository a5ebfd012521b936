import Control
import ExtremeJSON
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// Decodes and displays replies with every JSON type and extreme values in every field.
@Suite struct ExtremeReplyTests {
    private static let now = Sample.now

    // MARK: Samples

    private static func node(_ message: [UInt8]) throws -> JSONNode {
        try JSONNode(String(decoding: message.dropLast(), as: UTF8.self))[[0]]
    }

    private static var status: JSONNode {
        get throws {
            try node(
                Sample.statusReply {
                    ($0.networkReason, $0.provider.message) = ("no route", "it says so")
                    ($0.isOnline, $0.provider.state) = (false, .throttled)
                })
        }
    }

    private static var entry: Interface.Entry {
        get throws {
            try Sample.entry(
                .stale, record: Sample.record, scanned: -400, expires: -100, changed: -4_000, reason: "it has none",
                failure: .timeout, attempts: 3, nextAttempt: 7)
        }
    }

    private static var page: JSONNode {
        get throws { try node(Sample.page([try entry], next: "c1", total: 400)) }
    }

    private static var event: JSONNode {
        get throws {
            var event = try Sample.event(
                .changed, fields: [FieldChange(field: "city", old: "Ulm", new: "Aalen")], message: "it is so")
            event.entry = try entry
            return try node(Sample.reply(Control.Monitor.Reply(event: event)))
        }
    }

    // MARK: Decoding

    /// Decodes a reply; nil if the type rejects it, which the user sees as an error.
    private static func decoded<Reply: Decodable>(_: Reply.Type, _ parameters: String) throws -> Reply? {
        var conversation = ClientConversation(limitBytes: 1 << 20)
        conversation.receive(Array(#"{"parameters":\#(parameters)}"#.utf8) + [0])
        // A document that is nested too deeply is not a reply.
        guard let reply = try? conversation.next() else { return nil }
        return try? reply.parameters(as: Reply.self)
    }

    /// - Returns: the number of decoded documents.
    private static func show<Reply: Decodable>(
        _ type: Reply.Type, _ documents: some Sequence<String>, _ show: (Reply) throws -> Void
    ) throws -> Int {
        var shown = 0
        for document in documents {
            guard let reply = try decoded(type, document) else { continue }
            try show(reply)
            shown += 1
        }
        return shown
    }

    // MARK: Showing

    private static let terminals = [Terminal.pipe, .wide(40)]

    private static func show(_ status: Control.Status.Reply) throws {
        for terminal in terminals { _ = StatusCard(status: status, now: now).lines(on: terminal) }
        for scheduled in [0, 1, .max] {
            _ = RefreshOutcome(counts: .init(scheduled: scheduled, fresh: .max), status: status, now: now).sentence
        }
        let target = DoctorTarget(socket: SocketPath.system) { _ in nil }
        _ = ProviderCheck(provider: status.provider, target: target, now: now).findings()
        _ = QuotaCheck(refresh: status.refresh, watched: status.entries.watched, target: target).findings()
        _ = RecordsCheck(status: status, now: now).findings()
        _ = NetworkCheck(source: .daemon(status.network), addresses: [], now: now).findings()
        _ = ClockCheck(now: now, recordedTimes: DoctorRun.recordedTimes(in: status)).findings()
        let answer = DaemonProbe.answered(.init(status: status))
        _ = DaemonCheck(target: target, probe: answer, version: status.version, now: now).findings()
        _ = Times.exactSpan(milliseconds: status.refresh.interval)
        _ = TopGauge.all(of: status, at: now).map { TopGauge.bar($0.share ?? 0, columns: 9) }
    }

    private static func show(_ entry: Interface.Entry) {
        for terminal in terminals {
            _ = EntryCard(entry: entry, now: now).lines(on: terminal)
            var table = EntryTable(hasLabels: true, hasPins: true, now: now)
            _ = table.nextLines([entry, entry], on: terminal, isWhole: true)
        }
        for name in FieldValues.names { _ = FieldValues(entry: entry)[name] }
        var counts = MapCounts(projection: Projection(columns: 80, rows: 20))
        counts.add([entry])
        _ = ExitStatus(of: [entry])
    }

    private static func show(_ event: Interface.Event) throws {
        for terminal in terminals { _ = EventLine(event: event, now: now).line(on: terminal) }
        var line = TopEvent(event)
        _ = line.merge(try Sample.event(.refreshed))
        var next = TopEvent(try Sample.event(.refreshed))
        _ = next.merge(event)
        _ = next.sentence(at: now)
    }

    /// Draws `top` after each key.
    private static func draw(
        _ status: Control.Status.Reply, _ entries: [Interface.Entry], total: Int, next: String? = nil,
        events: [Interface.Event] = []
    ) throws {
        var model = TopModel(size: WindowSize(columns: 120, rows: 12))
        for key in [nil, .pageDown, .wheelDown, .end, .up, .home, .enter, .escape, .character("s")] as [KeyPress?] {
            if let key { model.handle(key) }
            for _ in 0..<3 {
                switch model.nextRequest(at: now) {
                case .page, .entry: model.handle(Control.List.Reply(entries: entries, next: next, total: total))
                case .history: model.handle(Control.History.Reply(changes: []))
                case .status, .act, nil: model.handle(status)
                }
            }
            for event in events { model.handle(event) }
            _ = model.roundDueIn(at: now)
            if key == nil || key == .end || key == .enter { _ = TopFrame(model: model, now: now).canvas }
        }
    }

    // MARK: Tests

    @Test func `any value in any field of a status is shown or rejected`() throws {
        let document = try Self.status
        let shown = try Self.show(Control.Status.Reply.self, document.variants().lazy.map(\.text)) { try Self.show($0) }
        #expect(shown > document.paths.count * 10)
    }

    @Test func `any value in any field of an entry is shown or rejected`() throws {
        let document = try Self.page
        let shown = try Self.show(Control.List.Reply.self, document.variants().lazy.map(\.text)) { page in
            page.entries.prefix(2).forEach(Self.show)
            _ = Entries(entries: Array(page.entries.prefix(3)), now: Self.now).lines(on: .pipe)
        }
        #expect(shown > document.paths.count * 10)
    }

    @Test func `any value in any field of an event is shown or rejected`() throws {
        let document = try Self.event
        let places = document.paths.filter { document.name(of: $0).hasPrefix(".event") && $0.count < 4 }
        let shown = try Self.show(Control.Monitor.Reply.self, document.variants(at: places).lazy.map(\.text)) {
            try Self.show($0.event)
        }
        #expect(shown > places.count * 10)
    }

    @Test func `any value of a reply is printed as JSON`() throws {
        for value in ExtremeValues.all {
            var conversation = ClientConversation(limitBytes: 1 << 20)
            conversation.receive(Array(#"{"parameters":{"a":\#(value.text)}}"#.utf8) + [0])
            guard let reply = try? conversation.next() else { continue }
            #expect(Wire.encode(reply.parameters).first == UInt8(ascii: "{"))
        }
    }

    /// The ends of the ranges in each numeric field.
    private static func numbers(in document: JSONNode) -> [String] {
        let places = document.paths.filter { path in
            if case .scalar(let text) = document[path] { Double(text) != nil } else { false }
        }
        return places.flatMap { place in
            ["0", "-1", "-9223372036854775808", "9223372036854775807", "1e308", "-1e308"].map { number in
                var changed = document
                changed[place] = .scalar(number)
                return changed.text
            }
        }
    }

    @Test func `numbers at the ends of their ranges are drawn by top and on the map`() throws {
        let (status, entry) = (Sample.status(), try Self.entry)
        _ = try Self.show(Control.Status.Reply.self, Self.numbers(in: try Self.status)) {
            try Self.draw($0, [entry], total: 1)
        }
        _ = try Self.show(Control.List.Reply.self, Self.numbers(in: try Self.page)) { page in
            try Self.draw(status, page.entries, total: page.total, next: page.next)
            var counts = MapCounts(projection: Projection(columns: 40, rows: 10))
            counts.add(page.entries)
            _ = WorldMap(counts: counts, columns: 40).canvas
        }
        _ = try Self.show(Control.Monitor.Reply.self, Self.numbers(in: try Self.event)) {
            try Self.draw(status, [entry], total: 1, events: [$0.event, $0.event])
        }
    }

    @Test func `any value in any field of an outage or a change is shown or rejected`() throws {
        let outage = Interface.Outage(since: 1, until: 2, cause: "network", message: "no route", deferred: 3)
        let outages = try Self.node(Sample.reply(Control.Outages.Reply(outages: [outage]))).variants()
        let shownOutages = try Self.show(Control.Outages.Reply.self, outages.lazy.map(\.text)) { reply in
            Self.terminals.forEach { _ = OutageTable(outages: reply.outages, now: Self.now).lines(on: $0) }
        }
        let fields = #"{"field":"city","old":"Ulm","new":"Aalen"}"#
        let change = #"{"changes":[{"seq":1,"at":2,"address":"192.0.2.1","fields":[\#(fields)]}]}"#
        let changes = try JSONNode(change).variants()
        let shownChanges = try Self.show(Control.History.Reply.self, changes.lazy.map(\.text)) { reply in
            for change in reply.changes { _ = ChangeLines(change: change).lines(on: .wide(80)) }
        }
        #expect(shownOutages > 100 && shownChanges > 100)
    }

    @Test(arguments: [
        #"{"error":"io.iprecord.Control.EventsGone","parameters":{"oldest":5}}"#,
        #"{"error":"io.iprecord.Control.TooMany","parameters":{"limit":5}}"#,
        #"{"error":"io.iprecord.Control.InvalidAddress","parameters":{"address":"x","reason":"y"}}"#,
        #"{"error":"io.iprecord.Control.StoreFailed","parameters":{"message":"x"},"continues":true}"#,
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"x"}}"#,
    ])
    func `any value in any member of an error is shown or rejected`(error: String) throws {
        for variant in try JSONNode(error).variants() {
            var conversation = ClientConversation(limitBytes: 1 << 20)
            conversation.receive(Array(variant.text.utf8) + [0])
            guard let reply = try? conversation.next(), let name = reply.error else { continue }
            let commandError = CommandError(ControlError(name: name, parameters: reply.parameters), from: "/run/x.sock")
            #expect(!commandError.message.isEmpty)
            _ = (commandError.explainingTagLimit, commandError.withoutAddHint, commandError.withUnchangedNote)
        }
    }

    @Test(arguments: 0..<4) func `replies with several extremes are shown or rejected`(seed: Int) throws {
        var random = Random(seed: UInt64(seed))
        func documents(_ sample: JSONNode) -> [String] {
            (0..<60).map { _ in
                var mutator = DocumentMutator(choices: (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) })
                return mutator.document(like: sample).text
            }
        }
        _ = try Self.show(Control.Status.Reply.self, documents(try Self.status)) { try Self.show($0) }
        _ = try Self.show(Control.Monitor.Reply.self, documents(try Self.event)) { try Self.show($0.event) }
        _ = try Self.show(Control.List.Reply.self, documents(try Self.page)) { page in
            page.entries.prefix(2).forEach(Self.show)
        }
    }

    // MARK: The program

    /// Replaces all numbers of a document by one value.
    private static func withNumbers(_ number: String, in document: JSONNode) -> [UInt8] {
        var changed = document
        for path in document.paths {
            if case .scalar(let text) = document[path], Double(text) != nil { changed[path] = .scalar(number) }
        }
        return Array(#"{"parameters":\#(changed.text)}"#.utf8) + [0]
    }

    @Test(arguments: ["-9223372036854775808", "9223372036854775807"])
    func `extreme numbers in all fields crash no command`(number: String) throws {
        func run(_ replies: [[UInt8]], _ arguments: String...) throws -> BuiltIpctl.Ended {
            let server = try WireServer(connections: [replies, replies])
            return try BuiltIpctl.run(["--socket", server.path] + arguments, environment: DoctorOutput.quickNames)
        }
        let (status, page) = (
            Self.withNumbers(number, in: try Self.status), Self.withNumbers(number, in: try Self.page)
        )
        let counts = Array(
            #"{"parameters":{"added":\#(number),"already":\#(number),"removed":\#(number),"changed":\#(number)}}"#.utf8)
        let scheduled = Array(#"{"parameters":{"scheduled":\#(number),"fresh":\#(number)}}"#.utf8)
        let outages = Array(#"{"parameters":{"outages":[]}}"#.utf8)
        let gone = Array(
            #"{"error":"io.iprecord.Control.EventsGone","parameters":{"oldest":\#(number)}}"#.utf8)
        let ended = [
            try run([status], "status"), try run([status, outages + [0]], "doctor"),
            try run([page], "show", Sample.address), try run([page], "list"), try run([page], "map"),
            try run([counts + [0]], "add", Sample.address), try run([counts + [0]], "remove", Sample.address),
            try run([counts + [0]], "tag", "--tag", "a", Sample.address), try run([counts + [0]], "reload"),
            try run([scheduled + [0], status], "refresh", Sample.address),
            try run([gone + [0]], "monitor", "--after", "5"),
        ]
        for (index, each) in ended.enumerated() {
            // A higher status means a signal.
            #expect((0..<128).contains(each.status), "\(index): \(each.errors)")
            #expect(!each.errors.contains("Fatal error"), "\(index): \(each.errors)")
        }
    }

    @Test func `sums of counts that overflow are shown as the largest integer`() throws {
        let counts = Array(#"{"parameters":{"added":9223372036854775807,"already":9223372036854775807}}"#.utf8) + [0]
        let server = try WireServer([counts, counts])
        let addresses = (0..<10_001).map { "10.\($0 / 65_536).\($0 / 256 % 256).\($0 % 256)\n" }.joined()
        let ended = try BuiltIpctl.run(["--socket", server.path, "add", "--file", "-"], input: addresses)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.output.hasPrefix("9,223,372,036,854,775,807 addresses added"))
    }
}
