import Control
import RecordKeeping
import Testing

@Suite struct WatchListTextTests {
    @Test(arguments: ["192.0.2.1 dns # ours\n", "192.0.2.1 dns # ours\r\n"])
    func `a byte order mark at the beginning is no part of the first line`(text: String) {
        let list = WatchListText("\u{FEFF}" + text)
        #expect(list.badLines == [])
        #expect(list.listed == WatchListText(text).listed)
        #expect(list.listed.map(\.address.description) == ["192.0.2.1"])
    }

    @Test func `lines are counted as without it, and elsewhere it is no part of an address`() {
        let list = WatchListText("\u{FEFF}# a list\n\u{FEFF}192.0.2.1\n8.8.8\n")
        #expect(list.listed == [])
        #expect(list.badLines.map(\.number) == [2, 3])
        #expect(WatchListText("\u{FEFF}").badLines == [])
    }
}
