import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct ListWindowTests {
    /// Returns chunks of a list of a length.
    static func page(_ chunks: Range<Int>, of total: Int) throws -> Control.List.Reply {
        let size = ListWindow.entriesPerChunk
        let numbers = min(total, chunks.lowerBound * size)..<min(total, chunks.upperBound * size)
        let entries = try numbers.map { try Sample.placed(1, 1, address: "192.0.\($0 / 256).\($0 % 256)") }
        return Control.List.Reply(
            entries: entries, next: numbers.upperBound < total ? "after \(numbers.upperBound)" : nil, total: total)
    }

    @Test func `an entry is found by its position`() throws {
        var list = ListWindow()
        #expect(list.total == nil)
        #expect(list[0] == nil)
        list.apply(try Self.page(0..<1, of: 40), chunks: 0..<1)
        list.apply(try Self.page(1..<2, of: 40), chunks: 1..<2)
        #expect(list.total == 40)
        #expect(list[0]?.address == "192.0.0.0")
        #expect(list[39]?.address == "192.0.0.39")
        #expect(list[40] == nil)
        #expect(list[-1] == nil)
    }

    @Test func `the visible chunks contain the visible positions`() {
        #expect(ListWindow.chunks(of: 0..<0) == 0..<0)
        #expect(ListWindow.chunks(of: 0..<32) == 0..<1)
        #expect(ListWindow.chunks(of: 31..<33) == 0..<2)
        #expect(ListWindow.chunks(of: 64..<130) == 2..<5)
    }

    @Test func `a chunk is reached through the chunks before it`() throws {
        var list = ListWindow(filter: .init(search: "s", state: "fresh"))
        #expect(list.missing(of: 2..<3) == 0..<2)
        let first = list.parameters(of: 0..<2)
        #expect((first.search, first.state, first.after, first.limit) == ("s", "fresh", nil, 64))
        list.apply(try Self.page(0..<2, of: 100), chunks: 0..<2)
        #expect(list[63]?.address == "192.0.0.63")
        list.retain(2..<3)
        #expect(list[0] == nil)
        #expect(list.missing(of: 2..<4) == 2..<4)
        let second = list.parameters(of: 2..<3)
        #expect((second.search, second.state, second.after, second.limit) == ("s", "fresh", "after 64", 32))
        list.apply(try Self.page(2..<3, of: 100), chunks: 2..<3)
        #expect(list.missing(of: 2..<3) == nil)
        #expect(list.reading(2..<3) == 2..<3)
        #expect(list.missing(of: 0..<3) == 0..<3)
    }

    @Test func `a distant chunk is reached in calls of a thousand entries, and chunks before it from the nearest`()
        throws
    {
        var list = ListWindow()
        var calls: [Range<Int>] = []
        while let chunks = list.missing(of: 100..<101) {
            calls.append(chunks)
            list.apply(try Self.page(chunks, of: 5_000), chunks: chunks)
            list.retain(100..<101)
        }
        #expect(calls == [0..<31, 31..<62, 62..<93, 93..<100, 100..<101])
        #expect(list[3_200]?.address == "192.0.12.128")
        #expect(list.missing(of: 99..<100) == 93..<99)
    }

    @Test func `the filter of the command line applies in addition to search and state`() {
        var filter = Interface.Filter()
        filter.tags = ["prod"]
        let list = ListWindow(filter: .init(search: "s", fixed: filter))
        let parameters = list.parameters(of: 0..<1)
        #expect((parameters.search, parameters.filter) == ("s", filter))
        #expect(list.filter.isNarrowed)
        #expect(!ListWindow.Filter(fixed: filter).isNarrowed)
    }

    @Test func `an address is found in the chunks in memory`() throws {
        var list = ListWindow()
        list.apply(try Self.page(0..<2, of: 40), chunks: 0..<2)
        #expect(list.position(of: "192.0.0.39") == 39)
        #expect(list.position(of: "192.0.0.40") == nil)
    }

    @Test func `after the end of the list, nothing is requested`() throws {
        var list = ListWindow()
        list.apply(try Self.page(0..<1, of: 32), chunks: 0..<1)
        #expect(list.missing(of: 0..<2) == nil)
        list = ListWindow()
        list.apply(Control.List.Reply(entries: [], next: nil, total: 0), chunks: 0..<1)
        #expect(list.missing(of: 0..<1) == nil)
        #expect(list.total == 0)
    }

    @Test func `a shortened list loses its last entries`() throws {
        var list = ListWindow()
        list.apply(try Self.page(0..<1, of: 40), chunks: 0..<1)
        list.apply(try Self.page(1..<2, of: 40), chunks: 1..<2)
        list.apply(try Self.page(0..<1, of: 5), chunks: 0..<1)
        #expect(list[4] != nil)
        #expect(list[5] == nil)
        #expect(list[35] == nil)
        #expect(list.parameters(of: 1..<2).after == nil)
    }

    @Test func `the entry of an event replaces the old one`() throws {
        var list = ListWindow()
        list.apply(try Self.page(0..<1, of: 3), chunks: 0..<1)
        list.update(try Sample.placed(1, 1, state: .stale, address: "192.0.0.1"))
        list.update(try Sample.placed(1, 1, state: .stale, address: "198.51.100.1"))
        #expect((0..<4).map { list[$0]?.state } == ["fresh", "stale", "fresh", nil])
    }
}
