import Testing
import Varlink

@testable import Control
@testable import RecordKeeping

/// Decoding of calls as requests, and the errors for invalid calls.
struct RequestDecodingTests {
    private let one = IPAddress(v4: 0x0101_0101)

    private static func request(
        _ method: String, _ parameters: String = "{}", more: Bool = false
    ) throws -> Request.Body {
        var server = ServerConversation(limitBytes: 100_000_000)
        let flag = more ? #","more":true"# : ""
        let message = #"{"method":"io.iprecord.Control.\#(method)","parameters":\#(parameters)\#(flag)}"#
        server.receive(Array(message.utf8) + [0])
        return try Request.Body(try #require(try server.next()))
    }

    @Test func `Add, Remove, Show, Status and Monitor calls are decoded`() throws {
        #expect(
            try Self.request("Add", #"{"addresses":["1.1.1.1"],"tags":["b","a","b"],"note":"n"}"#)
                == .add([one], tags: ["a", "b"], note: "n"))
        #expect(try Self.request("Add", #"{"addresses":["::ffff:1.1.1.1"]}"#) == .add([one], tags: [], note: nil))
        #expect(
            try Self.request("Add", #"{"addresses":["1.1.1.1"],"until":1800000000000}"#)
                == .add([one], tags: [], note: nil, until: WallTime(milliseconds: 1_800_000_000_000)))
        #expect(try Self.request("Remove", #"{"addresses":["1.1.1.1"]}"#) == .remove([one]))
        #expect(try Self.request("Remove", #"{"addresses":["1.1.1.1"],"dryRun":false}"#) == .remove([one]))
        #expect(try Self.request("Remove", #"{"addresses":["1.1.1.1"],"dryRun":true}"#) == .previewRemoval([one]))
        #expect(try Self.request("Show", #"{"addresses":["1.1.1.1"]}"#) == .show([one], wait: .seconds(5)))
        #expect(try Self.request("Show", #"{"addresses":["1.1.1.1"],"wait":0}"#) == .show([one], wait: .zero))
        #expect(
            try Self.request("Show", #"{"addresses":["1.1.1.1"],"lookup":true}"#) == .show([one], wait: .seconds(5)))
        #expect(try Self.request("Show", #"{"addresses":["1.1.1.1"],"lookup":false}"#) == .known([one]))
        #expect(try Self.request("Status") == .status)
        #expect(try Self.request("Monitor", more: true) == .monitor(after: nil, EventSelection()))
        #expect(
            try Self.request("Monitor", #"{"after":3,"kinds":["changed"],"addresses":["1.1.1.1"]}"#, more: true)
                == .monitor(after: 3, EventSelection(kinds: [.changed], addresses: [one])))
        #expect(
            try Self.request("Monitor", #"{"fields":["country","isp"],"tags":["dns"]}"#, more: true)
                == .monitor(after: nil, EventSelection(fields: [.country, .isp], tags: ["dns"])))
        #expect(throws: ControlError.service(.invalidParameter("fields"))) {
            try Self.request("Monitor", #"{"fields":["shoe"]}"#, more: true)
        }
        var filter = EntryFilter()
        filter.countryCodes = ["DE"]
        #expect(
            try Self.request("Monitor", #"{"filter":{"countryCodes":["de"]}}"#, more: true)
                == .monitor(after: nil, EventSelection(filter: filter)))
        #expect(throws: ControlError.service(.invalidParameter("changedFields"))) {
            try Self.request("Monitor", #"{"filter":{"changedSince":1,"changedFields":["isp"]}}"#, more: true)
        }
    }

    @Test func `calls about host names are decoded`() throws {
        let names = [try HostName("a.example"), try HostName("b.example")]
        #expect(
            try Self.request("AddNames", #"{"names":["A.example.","b.example"],"tags":["b","a"],"note":"n"}"#)
                == .addNames(names, tags: ["a", "b"], note: "n"))
        #expect(try Self.request("RemoveNames", #"{"names":["a.example"]}"#) == .removeNames([names[0]]))
        #expect(try Self.request("Names") == .names(nil))
        #expect(try Self.request("Names", #"{"names":["a.example"]}"#) == .names([names[0]]))
        #expect(
            try Self.request("NameHistory", #"{"name":"a.example","before":7}"#)
                == .nameHistory(names[0], before: 7, limit: 100))
        #expect(
            try Self.request("Monitor", #"{"names":["a.example"],"addresses":["1.1.1.1"]}"#, more: true)
                == .monitor(after: nil, EventSelection(addresses: [one], names: [names[0]])))
        #expect(
            throws: ControlError.invalidName(
                "a_b", reason: "a host name can contain only letters, digits, hyphens and dots")
        ) { try Self.request("AddNames", #"{"names":["a.example","a_b"]}"#) }
        for method in ["AddNames", "RemoveNames", "Names"] {
            #expect(throws: ControlError.service(.invalidParameter("names"))) {
                try Self.request(method, #"{"names":[]}"#)
            }
        }
        let many = (0...Limits.namesPerRequest).map { "\"a\($0).example\"" }.joined(separator: ",")
        for method in ["AddNames", "RemoveNames"] {
            #expect(throws: ControlError.tooMany(limit: 30, resource: "namesPerRequest")) {
                try Self.request(method, "{\"names\":[\(many)]}")
            }
        }
        #expect(throws: ControlError.tooMany(limit: 10_000, resource: "pageSize")) {
            try Self.request("NameHistory", #"{"name":"a.example","limit":10001}"#)
        }
    }

    @Test(arguments: ["Fleet"])
    func `methods that are declared for later versions are not implemented`(method: String) {
        let name = "io.iprecord.Control.\(method)"
        #expect(throws: ControlError.service(.methodNotImplemented(name))) { try Self.request(method) }
    }

    @Test func `a wait above the maximum is reduced to the maximum`() throws {
        let maximum = Request.Body.show([one], wait: Limits.maxWait)
        #expect(try Self.request("Show", #"{"addresses":["1.1.1.1"],"wait":9223372036854775807}"#) == maximum)
    }

    @Test(arguments: [
        ("Add", #"{"addresses":[]}"#, "addresses"), ("Add", "{}", "addresses"),
        ("Add", #"{"addresses":"1.1.1.1"}"#, "addresses"), ("Add", #"{"addresses":[1]}"#, "addresses"),
        ("Add", #"{"addresses":["1.1.1.1"],"tags":["a,b"]}"#, "tags"),
        ("Add", #"{"addresses":["1.1.1.1"],"tags":["a b"]}"#, "tags"),
        ("Add", #"{"addresses":["1.1.1.1"],"tags":[""]}"#, "tags"),
        ("Add", #"{"addresses":["1.1.1.1"],"tags":"a"}"#, "tags"),
        ("Add", #"{"addresses":["1.1.1.1"],"note":"two\nlines"}"#, "note"),
        ("Add", #"{"addresses":["1.1.1.1"],"note":1}"#, "note"),
        ("Add", #"{"addresses":["1.1.1.1"],"until":0}"#, "until"),
        ("Add", #"{"addresses":["1.1.1.1"],"until":7258118400000}"#, "until"),
        ("Add", #"{"addresses":["1.1.1.1"],"until":"tomorrow"}"#, "until"),
        ("Add", #"{"addresses":["1.1.1.1"],"wait":1}"#, "wait"), ("Remove", "{}", "addresses"),
        ("Remove", #"{"addresses":[]}"#, "addresses"), ("Show", #"{"addresses":[]}"#, "addresses"),
        ("Show", #"{"addresses":["1.1.1.1"],"wait":-1}"#, "wait"),
        ("Show", #"{"addresses":["1.1.1.1"],"wait":0.5}"#, "wait"),
        ("Show", #"{"addresses":["1.1.1.1"],"wait":"5"}"#, "wait"),
        ("Show", #"{"addresses":["1.1.1.1"],"lookup":0}"#, "lookup"),
        ("Show", #"{"addresses":["1.1.1.1"],"lookup":false,"wait":-1}"#, "wait"), ("Status", #"{"x":1}"#, "x"),
        ("Monitor", #"{"kinds":["invented"]}"#, "kinds"), ("Monitor", #"{"kinds":"changed"}"#, "kinds"),
        ("Monitor", #"{"after":"1"}"#, "after"), ("Monitor", #"{"addresses":[]}"#, "addresses"),
    ])
    func `the error names the invalid parameter`(method: String, parameters: String, parameter: String) {
        #expect(throws: ControlError.service(.invalidParameter(parameter))) {
            try Self.request(method, parameters, more: method == "Monitor")
        }
    }

    @Test func `tags and notes of the maximum length are accepted, and longer ones rejected`() throws {
        func add(tag: Int, note: Int) throws -> Request.Body {
            let (tag, note) = (String(repeating: "t", count: tag), String(repeating: "n", count: note))
            return try Self.request("Add", #"{"addresses":["1.1.1.1"],"tags":["\#(tag)"],"note":"\#(note)"}"#)
        }
        _ = try add(tag: Limits.tagBytes, note: Limits.noteBytes)
        #expect(throws: ControlError.service(.invalidParameter("tags"))) {
            try add(tag: Limits.tagBytes + 1, note: 1)
        }
        #expect(throws: ControlError.service(.invalidParameter("note"))) {
            try add(tag: 1, note: Limits.noteBytes + 1)
        }
    }

    @Test func `too many addresses or tags are rejected with the limit`() throws {
        func list(_ text: String, _ count: Int) -> String {
            "[" + Array(repeating: "\"\(text)\"", count: count).joined(separator: ",") + "]"
        }
        let (addresses, tags) = (Limits.addressesPerRequest, Limits.tagsPerEntry)
        #expect(throws: ControlError.tooMany(limit: Int64(addresses), resource: "addressesPerRequest")) {
            try Self.request("Show", #"{"addresses":\#(list("1.1.1.1", addresses + 1))}"#)
        }
        _ = try Self.request("Show", #"{"addresses":\#(list("1.1.1.1", addresses))}"#)
        let previewed = list("1.1.1.1", Limits.stayingAddresses + 1)
        #expect(throws: ControlError.tooMany(limit: Int64(Limits.stayingAddresses), resource: "addressesPerRequest")) {
            try Self.request("Remove", #"{"addresses":\#(previewed),"dryRun":true}"#)
        }
        _ = try Self.request("Remove", #"{"addresses":\#(previewed)}"#)
        #expect(throws: ControlError.tooMany(limit: Int64(tags), resource: "tagsPerEntry")) {
            try Self.request("Add", #"{"addresses":["1.1.1.1"],"tags":\#(list("t", tags + 1))}"#)
        }
    }

    @Test func `an invalid address is reported with the expected format`() throws {
        for method in ["Add", "Remove", "Show"] {
            do {
                _ = try Self.request(method, #"{"addresses":["1.1.1.1","8.8.8"]}"#)
                Issue.record("\(method) accepted an invalid address")
            } catch ControlError.invalidAddress(let address, let reason) {
                #expect(address == "8.8.8")
                #expect(reason.contains("four"), "\(reason)")
            }
        }
    }

    @Test func `Monitor without more is rejected`() {
        #expect(throws: ControlError.service(.expectedMore)) { try Self.request("Monitor") }
    }

    private static var filter: EntryFilter {
        get throws {
            var filter = EntryFilter()
            filter.search = try Search("berlin")
            filter.states = [.stale]
            filter.tags = ["dns"]
            filter.isPinned = true
            filter.changedSince = WallTime(milliseconds: 5)
            return filter
        }
    }

    @Test func `List returns one page, and all pages with more`() throws {
        #expect(try Self.request("List") == .list(ListQuery(limit: 100)))
        #expect(try Self.request("List", more: true) == .list(ListQuery(limit: 100, isWhole: true)))
        let parameters = #"{"search":"Berlin","state":"stale","tag":"dns","pinned":true,"changedSince":5,"limit":10}"#
        #expect(
            try Self.request("List", parameters)
                == .list(ListQuery(filters: [Self.filter], limit: 10)))
        let cursor = ListCursor(position: ListPosition(isPinned: true, address: one), total: 7)
        #expect(try Self.request("List", #"{"after":"\#(cursor)"}"#) == .list(ListQuery(after: cursor, limit: 100)))
    }

    @Test(arguments: [
        (#"{"limit":0}"#, ControlError.service(.invalidParameter("limit"))),
        (#"{"limit":1000000000}"#, .tooMany(limit: 10_000, resource: "pageSize")),
        (#"{"state":"good"}"#, .service(.invalidParameter("state"))),
        (#"{"after":"1.1.1.1"}"#, .invalidCursor), (#"{"after":"listed/1.1.1.1/-1"}"#, .invalidCursor),
        (#"{"search":"10.0.0.0/33"}"#, .invalidSearch("expected a prefix length from 0 to 32 for an IPv4 block")),
        (#"{"search":"2001:db8::/129"}"#, .invalidSearch("expected a prefix length from 0 to 128 for an IPv6 block")),
        (#"{"pinned":"yes"}"#, .service(.invalidParameter("pinned"))),
    ])
    func `an invalid List call is rejected with a specific error`(parameters: String, error: ControlError) {
        #expect(throws: error) { try Self.request("List", parameters) }
    }

    @Test func `Label distinguishes labels to change from those to keep`() throws {
        #expect(try Self.request("Label", #"{"addresses":["1.1.1.1"]}"#) == .label([one], LabelChange()))
        let parameters = #"{"addresses":["1.1.1.1"],"pinned":false,"addTags":["b","a"],"removeTags":["c"],"note":""}"#
        let change = LabelChange(isPinned: false, addTags: ["a", "b"], removeTags: ["c"], note: "")
        #expect(try Self.request("Label", parameters) == .label([one], change))
        #expect(throws: ControlError.service(.invalidParameter("removeTags"))) {
            try Self.request("Label", #"{"addresses":["1.1.1.1"],"removeTags":["a,b"]}"#)
        }
    }

    @Test func `Refresh, History, Outages and Reload calls are decoded`() throws {
        #expect(try Self.request("Refresh") == .refresh(nil))
        #expect(try Self.request("Refresh", #"{"addresses":["1.1.1.1"]}"#) == .refresh([one]))
        #expect(
            try Self.request("History", #"{"address":"1.1.1.1"}"#)
                == .history(ChangeQuery(addresses: [one], limit: 100), matching: nil))
        #expect(
            try Self.request("History", #"{"address":"1.1.1.1","before":9,"limit":1}"#)
                == .history(ChangeQuery(addresses: [one], before: 9, limit: 1), matching: nil))
        #expect(
            try Self.request("Outages", #"{"before":9}"#) == .outages(before: WallTime(milliseconds: 9), limit: 100))
        #expect(try Self.request("Reload") == .reload(isForced: false))
        #expect(try Self.request("Reload", #"{"force":false}"#) == .reload(isForced: false))
        #expect(try Self.request("Reload", #"{"force":true}"#) == .reload(isForced: true))
        #expect(try Self.request("Reload", #"{"dryRun":true}"#) == .reload(isForced: false, isPreview: true))
        #expect(
            try Self.request("Reload", #"{"force":true,"dryRun":true}"#) == .reload(isForced: true, isPreview: true))
        #expect(throws: ControlError.service(.invalidParameter("dryRun"))) {
            try Self.request("Reload", #"{"dryRun":"yes"}"#)
        }
        #expect(throws: ControlError.service(.invalidParameter("force"))) {
            try Self.request("Reload", #"{"force":1}"#)
        }
    }

    @Test func `an undeclared method is not found`() {
        for method in ["show", "", "Delete"] {
            let name = "\(Interface.name).\(method)"
            #expect(throws: ControlError.service(.methodNotFound(name))) { try Self.request(method) }
        }
    }
}
