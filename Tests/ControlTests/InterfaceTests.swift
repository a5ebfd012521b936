import Testing
import Varlink

@testable import Control
@testable import RecordKeeping

/// Checks that replies conform to the interface definition in names, types and optional members.
struct InterfaceTests {
    private static let declared = Declarations(Interface.text)
    /// The ends of the paths of declared members that the daemon does not send yet.
    private static let reservedMembers = [".node", ".event.origin"]

    /// Checks the reply of a method against its declaration.
    ///
    /// - Parameter isWhole: whether the reply must contain every declared member, so that all of them are checked.
    private static func expect(_ message: [UInt8], replies method: String, isWhole: Bool = false) throws {
        let reply = try #require(declared.methods[method]?.reply)
        let parameters = try Samples.parameters(message)
        #expect(declared.faults(of: parameters, as: reply) == [])
        guard isWhole else { return }
        let unmet = declared.unmet(by: parameters, as: reply)
        #expect(unmet.filter { path in !reservedMembers.contains { path.hasSuffix($0) } } == [])
    }

    private static func message(_ response: Response) -> [UInt8] {
        var entries = EntryWriter { _ in Samples.offline }
        let state = StateReplies(
            version: "1", endpoint: "http://ip-api.com", proxy: "proxy.example:3128",
            process: {
                Interface.Process(
                    cpuSeconds: 1.5, residentBytes: 2, virtualBytes: 3, openDescriptors: 4, maxDescriptors: 5)
            },
            databases: { [Samples.database, Interface.Database(path: "/b.mmdb")] }
        ) { view in
            Interface.Store(path: "/r.db", bytes: 1, changes: 2, lastSeq: view.lastSeq, failure: view.storeFailure)
        }
        return OutgoingReply.message(response, with: &entries, state: state, clients: 3)
    }

    @Test func `the parser reads the whole interface definition`() {
        #expect(Self.declared.types.count == 26)
        #expect(Self.declared.methods.count == 18)
        #expect(Self.declared.errors.count == 13)
        #expect(Self.declared.types["State"] == .names(["loading", "fresh", "stale", "empty", "failed"]))
        #expect(
            Self.declared.types["Change"]
                == .members([
                    "seq": .int, "at": .int, "address": .string, "fields": .list(.named("FieldChange")),
                ]))
        let wrong = Value.object(["field": .int(1), "older": .null])
        #expect(Self.declared.faults(of: wrong, as: .named("FieldChange")).count == 2, "both faults are reported")
    }

    @Test func `entries conform to the declaration, with all members, with none and in every state`() throws {
        try Self.expect(Self.message(.entries([Samples.entry()])), replies: "Show", isWhole: true)
        try Self.expect(Self.message(.entries([Samples.bareEntry])), replies: "Show")
        try Self.expect(Self.message(.entries([])), replies: "Show")
        for state in EntryState.allCases {
            try Self.expect(Self.message(.entries([Samples.entry(state, byFile: true)])), replies: "Show")
        }
        for kind in RecordKeeping.Failure.Kind.allCases {
            var entry = Samples.entry()
            entry.failure = Samples.failure(kind)
            try Self.expect(Self.message(.entries([entry])), replies: "Show")
        }
    }

    /// Clients decode `Interface.Entry`, but the daemon does not use it to encode entries.
    @Test func `the entry writer writes the same members as the encoder`() throws {
        var sparse = Samples.entry()
        sparse.entry.scan?.answer = .record(Record())
        sparse.entry.watch?.note = nil
        sparse.entry.watch?.tags = []
        sparse.nextAttemptAt = nil
        var named = Samples.entry()
        named.entry.watch = Watch(byClient: false, byName: true, isPinned: true)
        let lists = [[], [Samples.bareEntry], [Samples.entry(), Samples.entry(.fresh, byFile: true), named, sparse]]
        for entries in lists {
            let expected = entries.map { Interface.Entry($0, offline: $0.state == .fresh ? nil : Samples.offline) }
            let reply = Show.Reply(entries: expected)
            #expect(
                try Samples.parameters(Self.message(.entries(entries)))
                    == Samples.parameters(OutgoingReply.message(reply)))
            for next in [nil, ListCursor(position: ListPosition(isPinned: true, address: Samples.address), total: 3)] {
                let page = ListPage(entries: entries, next: next, total: 3)
                #expect(
                    try Samples.parameters(Self.message(.page(page)))
                        == Samples.parameters(
                            OutgoingReply.message(
                                List.Reply(entries: expected, next: next?.description, total: page.total))))
            }
        }
    }

    @Test func `a page begins with the cursor, for clients that request the next page at once`() {
        let cursor = ListCursor(position: ListPosition(isPinned: true, address: Samples.address), total: 3)
        let message = Self.message(.page(ListPage(entries: [Samples.entry()], next: cursor, total: 3)))
        #expect(message.starts(with: Array(#"{"parameters":{"next":"\#(cursor.description)","total":3,"#.utf8)))
    }

    @Test func `events of every kind conform to the declaration`() throws {
        for kind in PublishedEvent.Kind.allCases {
            let event = Interface.Event(Samples.event(kind), Samples.entry(), offline: Samples.offline)
            try Self.expect(
                OutgoingReply.message(Monitor.Reply(event: event), continues: true), replies: "Monitor", isWhole: true)
        }
        let bare = Interface.Event(PublishedEvent(seq: nil, at: Samples.wall, kind: .refreshed), nil)
        try Self.expect(OutgoingReply.message(Monitor.Reply(event: bare)), replies: "Monitor")
    }

    @Test func `the status conforms to the declaration in every state of the provider`() throws {
        try Self.expect(Self.message(.status(Samples.status())), replies: "Status", isWhole: true)
        for state in ProviderState.allCases {
            try Self.expect(Self.message(.status(Samples.status(state, isOnline: true))), replies: "Status")
        }
    }

    @Test func `counts and metrics conform to the declaration`() throws {
        let groups = [
            GroupCounts.Group(key: "Berlin, Germany", count: 3, lat: 52.5, lon: 13.4), .init(key: "", count: 1),
        ]
        try Self.expect(
            Self.message(.counts(GroupCounts(groups: groups, total: 5, others: 1))), replies: "Count", isWhole: true)
        try Self.expect(Self.message(.metrics(Samples.metrics)), replies: "Metrics")
    }

    @Test func `the replies of Add and Remove conform to the declaration`() throws {
        try Self.expect(Self.message(.added(1, already: 2)), replies: "Add")
        let ends = WatchEndCounts(removed: 1, kept: 1)
        try Self.expect(Self.message(.added(1, already: 2, ends: ends)), replies: "Add", isWhole: true)
        try Self.expect(
            Self.message(.removed(3, staying: [Samples.address])), replies: "Remove", isWhole: true)
        try Self.expect(Self.message(.removed(3)), replies: "Remove")
    }

    @Test func `the replies about host names conform to the declaration`() throws {
        try Self.expect(Self.message(.namesAdded(1, already: 2)), replies: "AddNames", isWhole: true)
        try Self.expect(Self.message(.namesRemoved(1)), replies: "RemoveNames", isWhole: true)
        let watch = WatchedName(
            addresses: [Samples.address], tags: ["web"], note: "n", answeredAt: Samples.wall,
            failure: NameFailure(reason: "no reply", since: Samples.wall))
        for state in NameState.allCases {
            let view = NameView(name: Samples.name, state: state, watch: watch, nextAt: Samples.wall)
            try Self.expect(Self.message(.names([view])), replies: "Names", isWhole: true)
        }
        let bare = NameView(name: Samples.name, state: .loading, watch: WatchedName(), nextAt: nil)
        try Self.expect(Self.message(.names([bare])), replies: "Names")
        try Self.expect(Self.message(.nameEvents([])), replies: "NameHistory")
        let events = PublishedEvent.Kind.allCases.map { Samples.event($0) }
        try Self.expect(Self.message(.nameEvents(events)), replies: "NameHistory")
        let decoded = NameHistory.Reply(events: events.map { Interface.Event($0, nil) })
        #expect(Self.message(.nameEvents(events)) == OutgoingReply.message(decoded))
    }

    @Test func `the replies of Reload conform to the declaration`() throws {
        try Self.expect(Self.message(.reloaded(added: 1, changed: 2, removed: 3)), replies: "Reload")
        let preview = ReloadPreview(
            added: [Samples.address], changed: [Samples.address], removed: [Samples.address],
            changes: [
                WatchChange(
                    address: Samples.address, fields: [FieldChange(field: "tags", old: "dns", new: "dns,prod")])
            ], problems: ["line 3 of a.list: not an address"])
        let response = Response.reloaded(added: 1, changed: 1, removed: 1, preview: preview)
        try Self.expect(Self.message(response), replies: "Reload", isWhole: true)
    }

    @Test func `an entry has its values in the right members`() throws {
        let entry = Interface.Entry(Samples.entry())
        #expect(entry.address == "1.1.1.1" && entry.state == "stale" && entry.watched && entry.origin == "client")
        #expect(entry.pinned && entry.tags == ["dns"] && entry.note == "ours" && entry.provider == "ip-api.com")
        #expect(entry.scannedAt == 1_800_000_000_000 && entry.record?.asn == 3_320 && entry.record?.lat == 52.5)
        #expect(entry.failure?.kind == "timeout" && entry.failure?.attempts == 2)
        #expect(entry.watchedUntil == 1_800_000_000_000)
        #expect(Interface.Entry(Samples.entry(byFile: true)).origin == "file")
        var named = Samples.entry()
        named.entry.watch = Watch(byClient: false, byName: true)
        #expect(Interface.Entry(named).origin == "name")
        #expect(Interface.Entry(Samples.bareEntry).origin == nil && !Interface.Entry(Samples.bareEntry).watched)
    }

    @Test func `an address that a file lists is not watched until a time`() throws {
        var entry = Samples.entry()
        entry.entry.watch?.byFile = true
        #expect(entry.entry.watch?.end?.until != nil)
        #expect(Interface.Entry(entry).watchedUntil == nil)
        #expect(!String(decoding: Self.message(.entries([entry])), as: UTF8.self).contains("watchedUntil"))
    }

    @Test func `only entries without a fresh record have one of the local databases`() throws {
        for state in EntryState.allCases {
            let text = String(decoding: Self.message(.entries([Samples.entry(state)])), as: UTF8.self)
            #expect(text.contains(#""offline":{"record":{"#) == (state != .fresh), "\(state)")
            let event = OutgoingReply.message(publishing: Samples.event(), Samples.entry(state)) { _ in Samples.offline
            }
            let expected = Monitor.Reply(
                event: Interface.Event(
                    Samples.event(), Samples.entry(state), offline: state == .fresh ? nil : Samples.offline))
            #expect(event == OutgoingReply.message(expected, continues: true), "\(state)")
        }
    }

    @Test func `an entry without a record of local databases has no such member`() {
        var entries = EntryWriter { _ in nil }
        let text = OutgoingReply.portion([Samples.entry()], isFirst: true, isLast: true, with: &entries)
        #expect(!String(decoding: text, as: UTF8.self).contains("offline"))
    }

    @Test func `the state of a local database follows from its version and its failure`() {
        #expect(Interface.Database(path: "/a").state == "loading")
        #expect(Interface.Database(path: "/a", failure: "no such file").state == "failing")
        #expect(Interface.Database(path: "/a", databaseType: "x", builtAt: Samples.wall).state == "ok")
        let kept = Interface.Database(path: "/a", databaseType: "x", builtAt: Samples.wall, failure: "truncated")
        #expect(kept.state == "failing" && kept.databaseType == "x" && kept.message == "truncated")
    }

    @Test func `events written directly have the same bytes as encoded ones`() {
        for kind in PublishedEvent.Kind.allCases {
            var bare = Samples.event(kind)
            (bare.fields, bare.message) = ([], nil)
            var nowhere = bare
            nowhere.address = nil
            for event in [Samples.event(kind), bare, nowhere] {
                for entry in [nil, Samples.entry()] {
                    let reply = Monitor.Reply(event: Interface.Event(event, entry))
                    #expect(
                        OutgoingReply.message(publishing: event, entry) == OutgoingReply.message(reply, continues: true)
                    )
                }
            }
        }
    }

    /// Every error of the interface, with sample parameters.
    @Test(arguments: [
        ControlError.invalidAddress("x", reason: "y"), .notWatched("1.1.1.1"), .invalidSearch("x"), .invalidCursor,
        .invalidName("a_b", reason: "y"), .nameNotWatched("a.example"),
        .eventsGone(oldest: 4), .tooMany(limit: 5, resource: "lookups"), .reloadFailed("x"), .storeFailed("x"),
    ])
    func `errors conform to the declaration and survive a round trip`(error: ControlError) throws {
        var client = ClientConversation(limitBytes: 1_000)
        client.receive(OutgoingReply.error(error))
        let reply = try #require(try client.next())
        let name = try #require(reply.error)
        let shape = try #require(Self.declared.errors[String(name.trimmingPrefix("\(Interface.name)."))])
        #expect(Self.declared.faults(of: reply.parameters, as: shape) == [])
        #expect(Self.declared.unmet(by: reply.parameters, as: shape) == [])
        #expect(ControlError(name: name, parameters: reply.parameters) == error)
    }

    @Test func `errors of the Varlink service interface and unknown errors are decoded`() {
        let denied = ControlError(name: "org.varlink.service.PermissionDenied", parameters: .object([:]))
        #expect(denied == .service(.permissionDenied))
        #expect(ControlError(name: "a.b.New", parameters: .object([:])) == .unknown("a.b.New"))
    }

    @Test func `the names of parameters match the declaration`() throws {
        let known = [
            "Add": Add.Parameters.names, "Remove": Remove.Parameters.names, "Show": Show.Parameters.names,
            "List": List.Parameters.names, "History": History.Parameters.names,
            "Monitor": Monitor.Parameters.names, "Status": Status.Parameters.names,
            "Reload": Reload.Parameters.names, "AddNames": AddNames.Parameters.names,
            "RemoveNames": RemoveNames.Parameters.names, "Names": Names.Parameters.names,
            "NameHistory": NameHistory.Parameters.names,
        ]
        for (method, names) in known {
            guard case .members(let members)? = Self.declared.methods[method]?.parameters else {
                Issue.record("\(method) is not declared")
                continue
            }
            #expect(names == Set(members.keys), "\(method)")
        }
    }
}
