import Foundation
import Testing
import Varlink

@testable import Control
@testable import RecordKeeping

/// Filters of `List` and `Count`.
struct FilterDecodingTests {
    private static func request(_ method: String, _ parameters: String) throws -> Request.Body {
        let message = #"{"method":"io.iprecord.Control.\#(method)","parameters":\#(parameters)}"#
        var server = ServerConversation(limitBytes: 100_000_000)
        server.receive(Array(message.utf8) + [0])
        return try Request.Body(try #require(try server.next()))
    }

    private static func request(_ method: String, _ parameters: [String: String]) throws -> Request.Body {
        try request(method, String(decoding: try JSONEncoder().encode(parameters), as: UTF8.self))
    }

    @Test func `every condition of a filter is decoded`() throws {
        let parameters = #"""
            {"by":"country","limit":5,"filter":{"search":"x","states":["fresh","stale"],"tags":["a"],"notTags":["b"],
            "pinned":false,"changedSince":7,"changedFields":["country","asn"],"countryCodes":["de","FR"],"notCountryCodes":["us"],
            "asns":[3320,1],"flags":["proxy","mobile"]}}
            """#
        var filter = EntryFilter()
        filter.search = try Search("x")
        filter.states = [.fresh, .stale]
        filter.tags = ["a"]
        filter.notTags = ["b"]
        filter.isPinned = false
        filter.changedSince = WallTime(milliseconds: 7)
        filter.changedFields = [.country, .asn]
        filter.countryCodes = ["DE", "FR"]
        filter.notCountryCodes = ["US"]
        filter.asns = [3_320, 1]
        filter.flags = [.proxy, .mobile]
        let query = CountQuery(key: .field(.country), filter: filter, limit: 5)
        #expect(try Self.request("Count", parameters) == .count(query))
    }

    @Test func `the filter of a list combines with its other conditions`() throws {
        var (first, second) = (EntryFilter(), EntryFilter())
        first.tags = ["a"]
        second.tags = []
        second.asns = []
        let parameters = #"{"tag":"a","filter":{"tags":[],"asns":[]},"sort":"isp"}"#
        let query = ListQuery(filters: [first, second], sort: FieldOrder(.isp), limit: 100)
        #expect(try Self.request("List", parameters) == .list(query))
        #expect(try Self.request("List", #"{"filter":{}}"#) == .list(ListQuery(limit: 100)))
        #expect(try Self.request("List", #"{"filter":null,"sort":null}"#) == .list(ListQuery(limit: 100)))
    }

    @Test(arguments: ["state", "tag", "origin", "place"] + Record.Field.allCases.map(\.rawValue))
    func `entries are counted by each field, and by state, tag, origin and place`(name: String) throws {
        let query = CountQuery(key: try #require(CountKey(name)), limit: 100)
        #expect(try Self.request("Count", #"{"by":"\#(name)"}"#) == .count(query))
    }

    @Test func `a history is one of addresses or of matching entries, in a period`() throws {
        let addresses = [try IPAddress("1.1.1.1"), try IPAddress("::2")]
        #expect(try Self.request("History", "{}") == .history(ChangeQuery(limit: 100), matching: nil))
        let period = #""since":5,"until":9,"fields":["isp","city"],"old":"A","new":"","before":7,"limit":3"#
        var query = ChangeQuery(
            since: WallTime(milliseconds: 5), until: WallTime(milliseconds: 9), fields: [.isp, .city], old: "A",
            new: "", before: 7, limit: 3)
        var filter = EntryFilter()
        filter.tags = ["a"]
        #expect(
            try Self.request("History", #"{"filter":{"tags":["a"]},\#(period)}"#) == .history(query, matching: filter))
        query.addresses = addresses
        #expect(
            try Self.request("History", #"{"addresses":["1.1.1.1","::2"],\#(period)}"#)
                == .history(query, matching: nil))
    }

    @Test(arguments: [
        ("History", #"{"address":"::1","addresses":["::2"]}"#, "addresses"),
        ("History", #"{"addresses":[]}"#, "addresses"),
        ("History", #"{"address":"::1","filter":{}}"#, "filter"),
        ("History", #"{"addresses":["::1"],"filter":{}}"#, "filter"), ("History", #"{"fields":["x"]}"#, "fields"),
        ("History", #"{"old":1}"#, "old"), ("History", #"{"new":[]}"#, "new"),
        ("History", #"{"since":"1"}"#, "since"), ("History", #"{"limit":0}"#, "limit"),
        ("List", #"{"filter":[]}"#, "filter"), ("List", #"{"filter":{"asn":[1]}}"#, "asn"),
        ("List", #"{"filter":{"asns":["1"]}}"#, "asns"), ("List", #"{"filter":{"asns":[1.5]}}"#, "asns"),
        ("List", #"{"filter":{"asns":[1,"2"]}}"#, "asns"), ("List", #"{"filter":{"tags":[1]}}"#, "tags"),
        ("List", #"{"filter":{"notCountryCodes":"DE"}}"#, "notCountryCodes"),
        ("List", #"{"filter":{"states":["good"]}}"#, "states"), ("List", #"{"filter":{"flags":["vpn"]}}"#, "flags"),
        ("List", #"{"filter":{"search":{}}}"#, "search"), ("List", #"{"sort":"state"}"#, "sort"),
        ("List", #"{"descending":true}"#, "descending"), ("List", #"{"sort":"isp","descending":1}"#, "descending"),
        ("List", #"{"filter":{"changedFields":["isp"]}}"#, "changedFields"),
        ("List", #"{"filter":{"changedSince":1,"changedFields":["x"]}}"#, "changedFields"),
        ("Count", "{}", "by"), ("Count", #"{"by":"address"}"#, "by"), ("Count", #"{"by":"isp","limit":0}"#, "limit"),
    ])
    func `an invalid parameter is named`(method: String, parameters: String, name: String) {
        #expect(throws: ControlError.service(.invalidParameter(name))) { try Self.request(method, parameters) }
    }

    @Test(
        arguments: [
            SortValue.missing, .number(-12.5), .number(0), .text("a/b"), .text("/"), .text("\u{301}x"),
            .text("Zürich"), .text(""),
        ], [false, true])
    func `the cursor of an ordered list contains the order and the value of the field`(
        value: SortValue, isDescending: Bool
    ) throws {
        let position = ListPosition(isPinned: false, address: try IPAddress("2001:db8::1"))
        let order = FieldOrder(.isp, isDescending: isDescending)
        let cursor = ListCursor(position: position, total: 3, sort: .init(order, value: value))
        #expect(ListCursor(cursor.description) == cursor)
        let asked = List.Parameters(sort: "isp", descending: isDescending, after: cursor.description)
        #expect(try Self.list(asked) == .list(ListQuery(sort: order, after: cursor, limit: 100)))
        for change: (inout List.Parameters) -> Void in [
            { $0.descending = !isDescending }, { $0.sort = "org" }, { ($0.sort, $0.descending) = (nil, nil) },
        ] {
            var other = asked
            change(&other)
            #expect(throws: ControlError.invalidCursor) { try Self.list(other) }
        }
    }

    @Test(arguments: [
        ("listed/1.1.1.1/7/isp/tA", false), ("listed/1.1.1.1/7/-isp/tA", true), ("pinned/1.1.1.1//-lat/n-1.5", true),
    ])
    func `a hyphen in a cursor stands for a descending order`(text: String, isDescending: Bool) throws {
        let cursor = try #require(ListCursor(text))
        #expect(cursor.sort?.order.isDescending == isDescending && cursor.description == text)
    }

    @Test(arguments: ["listed/1.1.1.1/7/--isp/tA", "listed/1.1.1.1/7/-/tA", "-listed/1.1.1.1/7"])
    func `an invalid cursor is not parsed`(text: String) {
        #expect(ListCursor(text) == nil)
    }

    private static func list(_ parameters: List.Parameters) throws -> Request.Body {
        try request("List", String(decoding: JSONEncoder().encode(parameters), as: UTF8.self))
    }
}
