import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `--dry-run` of all commands that have it, with the built program.
@Suite struct DryRunTests {
    /// The watch list: two pinned addresses of which one has a note, and one that a file lists.
    private static func list() throws -> [UInt8] {
        var pinned = Watch(byClient: true, tags: ["dns", "old"], note: "resolver")
        pinned.isPinned = true
        let plain = Watch(byClient: true, tags: ["dns"])
        return Sample.page([
            try Sample.entry(.stale, address: "192.0.2.1", watch: pinned, record: Sample.record, scanned: -1),
            try Sample.entry(.failed, address: "192.0.2.2", watch: plain),
            try Sample.entry(
                .fresh, address: "192.0.2.3", watch: Watch(byClient: false), record: Sample.record, scanned: -1),
        ])
    }

    private static func removal(staying bytes: [UInt32]) -> [UInt8] {
        Sample.reply(Control.Remove.Reply(removed: 1, staying: bytes.map { IPAddress(v4: 0xC000_0200 + $0) }))
    }

    /// Runs a command, and checks that it changes nothing.
    ///
    /// - Parameter staying: the last bytes of the addresses that a removal would leave; nil if none is previewed.
    private static func run(_ arguments: String..., staying: [UInt32]? = nil) throws -> BuiltIpctl.Ended {
        let server = try WireServer([try list()] + (staying.map { [removal(staying: $0)] } ?? []))
        let ended = try BuiltIpctl.run(["--socket", server.path] + arguments + ["--dry-run"])
        #expect(server.calls.count == (staying == nil ? 1 : 2))
        #expect(server.calls.first?.contains(#""method":"io.iprecord.Control.List""#) == true, "\(server.calls)")
        #expect(server.calls.dropFirst().allSatisfy { $0.contains(#""dryRun":true"#) }, "\(server.calls)")
        return ended
    }

    @Test func `add names the new addresses`() throws {
        let ended = try Self.run("add", "192.0.2.0/30", "192.0.2.3")
        let errors = "ipctl: 1 address would be added, 3 already on the list\n"
        #expect(ended == .init(status: 0, output: "192.0.2.0\n", errors: errors))
    }

    @Test func `add names the addresses that would get other labels or a later end`() throws {
        let ended = try Self.run("add", "192.0.2.1", "192.0.2.2", "192.0.2.9", "--tag", "old")
        let errors =
            "ipctl: 1 address would be added, 2 already on the list, of which 1 would change\n"
        #expect(ended == .init(status: 0, output: "192.0.2.2\n192.0.2.9\n", errors: errors))
        let note = try Self.run("add", "192.0.2.1", "--tag", "dns", "--note", "resolver")
        #expect(
            note == .init(status: 0, output: "", errors: "ipctl: 0 addresses would be added, 1 already on the list\n"))
    }

    @Test func `import names the new addresses`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("address,tags\n192.0.2.1,dns\n192.0.2.9,\n192.0.2.9,dns\n", to: "list.csv")
        let ended = try Self.run("import", file)
        let errors = "ipctl: 1 address would be added, 1 already on the list\n"
        #expect(ended == .init(status: 0, output: "192.0.2.9\n", errors: errors))
    }

    @Test(
        arguments: [
            (["pin"], ["192.0.2.2"], "1 address would be pinned, 1 unchanged"),
            (["unpin"], ["192.0.2.1"], "1 address would be unpinned, 1 unchanged"),
            (["tag", "--tag", "dns"], [], "0 addresses would be tagged, 2 unchanged"),
            (["tag", "--tag", "dns", "--tag", "new"], ["192.0.2.1", "192.0.2.2"], "2 addresses would be tagged"),
            (["untag", "--tag", "old"], ["192.0.2.1"], "1 address would be untagged, 1 unchanged"),
            (["note", "--note", "resolver"], ["192.0.2.2"], "1 note would be written, 1 unchanged"),
            (["note", "--clear"], ["192.0.2.1"], "1 note would be removed, 1 unchanged"),
        ] as [([String], [String], String)])
    func `commands for labels name the addresses whose labels would change`(
        command: [String], addresses: [String], summary: String
    ) throws {
        let server = try WireServer([try Self.list()])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path] + command + ["192.0.2.1", "192.0.2.2", "--dry-run"])
        let lines = addresses.map { "\($0)\n" }.joined()
        #expect(ended == .init(status: 0, output: lines, errors: "ipctl: \(summary)\n"))
        #expect(server.calls.allSatisfy { !$0.contains("Label") })
    }

    @Test func `remove names the addresses that would leave the list, and says that the others stay`() throws {
        let ended = try Self.run("remove", "192.0.2.1", "192.0.2.3", staying: [3])
        #expect(ended.status == 1 && ended.output == "192.0.2.1 dns old # resolver (pinned)\n")
        #expect(
            ended.errors == "ipctl: 1 address would be removed; 1 address stays because it is in the configuration or "
                + "a watch-list file, or belongs to a host name: 192.0.2.3; remove it there and run ipctl reload, or "
                + "remove the name\n")
        // A client has added this address, and a file lists it, too.
        let both = try Self.run("remove", "192.0.2.1", "192.0.2.2", staying: [2])
        #expect(both.status == 1 && both.output == ended.output)
        #expect(
            both.errors.contains(
                "1 address stays because it is in the configuration or a watch-list file, or belongs to a host name: "
                    + "192.0.2.2"))
        let unknown = try Self.run("remove", "192.0.2.1", "192.0.2.8")
        #expect(unknown.status == 1 && unknown.output == "")
        #expect(unknown.errors.hasPrefix("ipctl: 192.0.2.8 is not on the watch list\n"))
    }

    @Test func `refresh names the addresses with a stale or failed record`() throws {
        // The daemon would leave out the fresh entry, which the filter does not match.
        let all = try Self.run("refresh")
        #expect(all.status == 0 && all.output.hasPrefix("192.0.2.1\n192.0.2.2\n"))
        let some = try Self.run("refresh", "192.0.2.2", "192.0.2.3")
        #expect(some == .init(status: 0, output: "192.0.2.2\n", errors: "ipctl: 1 record would be refreshed\n"))
        let unknown = try Self.run("refresh", "192.0.2.2", "192.0.2.7")
        #expect(unknown.status == 1 && unknown.output == "", "\(unknown)")
    }

    @Test func `with --json, the addresses are an array`() throws {
        let ended = try Self.run("pin", "192.0.2.2", "--json")
        #expect(ended.output == #"{"addresses":["192.0.2.2"]}"# + "\n")
        #expect(ended.errors == "ipctl: 1 address would be pinned\n")
    }

    @Test func `remove shows the labels that would be lost`() throws {
        let (pinned, noted) = (
            Watch(byClient: true, isPinned: true), Watch(byClient: true, note: "\u{1B}[2Jx")
        )
        let entries = try [
            Sample.entry(.failed, address: "192.0.2.1", watch: Watch(byClient: true)),
            Sample.entry(.failed, address: "192.0.2.2", watch: pinned),
            Sample.entry(.failed, address: "192.0.2.3", watch: noted),
            Sample.entry(.failed, address: "192.0.2.4", watch: Watch(byClient: true, tags: ["a", "b"])),
        ]
        let text = try BuiltIpctl.run(
            try WireServer([Sample.page(entries), Sample.page(entries), Self.removal(staying: [])]), "remove", "--tag",
            "x",
            "--dry-run")
        #expect(
            text.output == """
                192.0.2.1
                192.0.2.2 # (pinned)
                192.0.2.3 # \u{FFFD}[2Jx
                192.0.2.4 a b\n
                """)
        #expect(text.errors == "ipctl: 4 addresses would be removed\n")
    }

    @Test func `with --json, the labels that would be lost are members`() throws {
        let ended = try Self.run("remove", "192.0.2.1", "--json", staying: [])
        let entry = #"{"address":"192.0.2.1","note":"resolver","pinned":true,"tags":["dns","old"]}"#
        #expect(ended.output == #"{"addresses":["192.0.2.1"],"entries":[\#(entry)]}"# + "\n")
        let staying = try Self.run("remove", "192.0.2.1", "192.0.2.3", "--json", staying: [3])
        let document = #"{"addresses":["192.0.2.1"],"entries":[\#(entry)],"staying":["192.0.2.3"]}"#
        #expect(staying.output == document + "\n")
    }

    // MARK: Reloading

    private static func runReload(_ reply: Control.Reload.Reply, _ arguments: [String] = []) throws -> BuiltIpctl.Ended
    {
        let server = try WireServer([Sample.reply(reply)])
        let ended = try BuiltIpctl.run(["--socket", server.path, "reload", "--dry-run"] + arguments)
        let force = arguments.contains("--force") ? #","force":true"# : ""
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Reload","parameters":{"dryRun":true\#(force)}}"#])
        return ended
    }

    private static let preview = Control.Reload.Reply(
        added: 2, changed: 1, removed: 1,
        preview: .init(added: ["192.0.2.1", "192.0.2.9"], changed: ["192.0.2.2"], removed: ["192.0.2.3"]))

    @Test(arguments: [[], ["--force"]]) func `reload marks the addresses`(options: [String]) throws {
        let ended = try Self.runReload(Self.preview, options)
        let lines = "+ 192.0.2.1\n+ 192.0.2.9\n~ 192.0.2.2\n- 192.0.2.3\n"
        let errors = "ipctl: 2 addresses would be added, 1 changed, 1 removed\n"
        #expect(ended == .init(status: 0, output: lines, errors: errors))
    }

    @Test func `reload shows what changes, with the old and the new value`() throws {
        func change(
            _ address: String, _ fields: (name: String, old: String?, new: String?)...
        ) throws -> Control.Reload.Change {
            let fields = fields.map { FieldChange(field: $0.name, old: $0.old, new: $0.new) }
            return .init(WatchChange(address: try IPAddress(address), fields: fields))
        }
        let changes = try [
            change("192.0.2.2", ("tags", "dns", "dns,prod"), ("note", nil, "gate\u{1B}[2Jway")),
            change("192.0.2.3", ("sources", "client", "client,file"), ("watchedUntil", "1795249800000", nil)),
            change("192.0.2.4"),
        ]
        let reply = Control.Reload.Reply(
            added: 0, changed: 4, removed: 0,
            preview: .init(
                added: [], changed: (2...5).map { "192.0.2.\($0)" }, removed: [], changes: changes))
        let ended = try Self.runReload(reply, ["--utc"])
        #expect(
            ended.output == """
                ~ 192.0.2.2  tags: dns → dns,prod; note: (none) → gate\u{FFFD}[2Jway
                ~ 192.0.2.3  sources: client → client,file; watched until: 2026-11-21T08:30:00Z → (none)
                ~ 192.0.2.4
                ~ 192.0.2.5\n
                """)
    }

    @Test func `with --json, reload prints the reply`() throws {
        let ended = try Self.runReload(Self.preview, ["--json"])
        let lists = #"{"added":["192.0.2.1","192.0.2.9"],"changed":["192.0.2.2"],"removed":["192.0.2.3"]}"#
        #expect(ended.output == #"{"added":2,"changed":1,"preview":\#(lists),"removed":1}"# + "\n")
    }

    @Test func `reload reports invalid lines after the changes`() throws {
        var reply = Self.preview
        reply.preview?.problems = ["a.list:2: bad\u{1B}[2J", "b.list: unreadable"]
        let ended = try Self.runReload(reply)
        #expect(ended.status == 65)
        #expect(ended.output == "+ 192.0.2.1\n+ 192.0.2.9\n~ 192.0.2.2\n- 192.0.2.3\n")
        let summary = "ipctl: 2 addresses would be added, 1 changed, 1 removed\n"
        #expect(ended.errors == summary + "ipctl: a.list:2: bad\u{FFFD}[2J\nipctl: b.list: unreadable\n")
    }

    @Test func `reload says that there are no changes, or more than it shows`() throws {
        let none = try Self.runReload(.init(added: 0, removed: 0, preview: .init(added: [], changed: [], removed: [])))
        #expect(none == .init(status: 0, output: "", errors: "ipctl: the watch list would not change\n"))
        let many = try Self.runReload(
            .init(added: 12_000, removed: 0, preview: .init(added: ["192.0.2.1"], changed: [], removed: [])))
        let errors = "ipctl: 12,000 addresses would be added, 0 removed; only the first of each kind are shown\n"
        #expect(many == .init(status: 0, output: "+ 192.0.2.1\n", errors: errors))
    }

    // MARK: Removing by filters

    @Test func `remove with filters removes the matching entries`() throws {
        let server = try WireServer([try Self.list(), OutgoingReply.message(["removed": 3])])
        let ended = try BuiltIpctl.run(server, "remove", "--tag", "old", "--not-tag", "prod")
        #expect(ended == .init(status: 0, output: "3 addresses removed\n", errors: ""))
        let filter = #"{"notTags":["prod"],"tags":["old"]}"#
        let addresses = #"["192.0.2.1","192.0.2.2","192.0.2.3"]"#
        #expect(
            server.calls == [
                #"{"method":"io.iprecord.Control.List","parameters":{"filter":\#(filter),"limit":1000}}"#,
                #"{"method":"io.iprecord.Control.Remove","parameters":{"addresses":\#(addresses)}}"#,
            ])
    }

    @Test func `without a match, nothing is removed`() throws {
        let server = try WireServer([Sample.page([])])
        let ended = try BuiltIpctl.run(server, "remove", "--tag", "old")
        #expect(ended == .init(status: 1, output: "", errors: "ipctl: no entry on the watch list matches\n"))
        #expect(server.calls.count == 1)
    }

    @Test(
        arguments: [
            ([], "give addresses, a file with --file, or filters such as --tag"),
            (["--search", ""], "the text of --search is empty"),
            (["--search", "", "--tag", "old"], "the text of --search is empty"),
            (["192.0.2.1", "--tag", "old"], "give addresses or filters, not both"),
            (["--file", "x", "--pinned"], "give addresses or filters, not both"),
        ] as [([String], String)])
    func `addresses and filters exclude each other`(arguments: [String], text: String) throws {
        let ended = try BuiltIpctl.run(["remove"] + arguments)
        #expect(ended.status == 64 && ended.errors.hasPrefix("ipctl: \(text)\n"), "\(ended)")
    }
}
