import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct ListWindowTests {
    /// Returns the page of a list of a length.
    static func page(_ chunk: Int, of total: Int) throws -> Control.List.Reply {
        let size = ListWindow.entriesPerChunk
        let numbers = min(total, chunk * size)..<min(total, (chunk + 1) * size)
        let entries = try numbers.map { try Sample.placed(1, 1, address: "192.0.\($0 / 256).\($0 % 256)") }
        return Control.List.Reply(
            entries: entries, next: numbers.upperBound < total ? "after \(numbers.upperBound)" : nil, total: total)
    }

    @Test func `an entry is found by its position`() throws {
        var list = ListWindow()
        #expect(list.total == nil)
        #expect(list[0] == nil)
        list.apply(try Self.page(0, of: 40), chunk: 0)
        list.apply(try Self.page(1, of: 40), chunk: 1)
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

    @Test func `a chunk is reached through the chunks before it, each read once`() throws {
        var list = ListWindow(filter: .init(search: "s", state: "fresh"))
        #expect(list.missing(of: 2..<3) == 0)
        let first = list.parameters(of: 0)
        #expect((first.search, first.state, first.after, first.limit) == ("s", "fresh", nil, 32))
        list.apply(try Self.page(0, of: 100), chunk: 0)
        #expect(list.missing(of: 2..<3) == 1)
        let second = list.parameters(of: 1)
        #expect((second.search, second.state, second.after, second.limit) == ("s", "fresh", "after 32", 32))
        list.apply(try Self.page(1, of: 100), chunk: 1)
        list.retain(2..<3)
        #expect(list[0] == nil)
        #expect(list.missing(of: 2..<3) == 2)
        list.apply(try Self.page(2, of: 100), chunk: 2)
        #expect(list.missing(of: 2..<3) == nil)
        #expect(list.missing(of: 0..<3) == 0)
    }

    @Test func `after the end of the list, nothing is requested`() throws {
        var list = ListWindow()
        list.apply(try Self.page(0, of: 32), chunk: 0)
        #expect(list.missing(of: 0..<2) == nil)
        list = ListWindow()
        list.apply(Control.List.Reply(entries: [], next: nil, total: 0), chunk: 0)
        #expect(list.missing(of: 0..<1) == nil)
        #expect(list.total == 0)
    }

    @Test func `a shortened list loses its last entries`() throws {
        var list = ListWindow()
        list.apply(try Self.page(0, of: 40), chunk: 0)
        list.apply(try Self.page(1, of: 40), chunk: 1)
        list.apply(try Self.page(0, of: 5), chunk: 0)
        #expect(list[4] != nil)
        #expect(list[5] == nil)
        #expect(list[35] == nil)
        #expect(list.parameters(of: 1).after == nil)
    }

    @Test func `the entry of an event replaces the old one`() throws {
        var list = ListWindow()
        list.apply(try Self.page(0, of: 3), chunk: 0)
        list.update(try Sample.placed(1, 1, state: .stale, address: "192.0.0.1"))
        list.update(try Sample.placed(1, 1, state: .stale, address: "198.51.100.1"))
        #expect((0..<4).map { list[$0]?.state } == ["fresh", "stale", "fresh", nil])
    }
}
