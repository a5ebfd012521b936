import Control
import RecordKeeping
import Testing

@Suite struct WatchListTextTests {
    @Test(arguments: ["192.0.2.1 dns # ours\n", "192.0.2.1 dns # ours\r\n"])
    func `a byte order mark at the beginning of the text is ignored`(text: String) {
        let list = WatchListText("\u{FEFF}" + text)
        #expect(list.badLines == [])
        #expect(list.listed == WatchListText(text).listed)
        #expect(list.listed.map(\.address.description) == ["192.0.2.1"])
    }

    @Test func `a byte order mark does not change line numbers, and is invalid in other lines`() {
        let list = WatchListText("\u{FEFF}# a list\n\u{FEFF}192.0.2.1\n8.8.8\n")
        #expect(list.listed == [])
        #expect(list.badLines.map(\.number) == [2, 3])
        #expect(WatchListText("\u{FEFF}").badLines == [])
    }

    @Test func `an invalid word is quoted without terminal control characters`() {
        let list = WatchListText("\u{1B}]0;owned\u{7}\n192.0.2.1 \u{1B}[31mred\n192.0.2.1 a\u{202E}b\n")
        #expect(list.badLines.map(\.number) == [1, 2, 3])
        #expect(list.badLines.allSatisfy { $0.reason.contains("\u{FFFD}") })
        #expect(list.badLines.allSatisfy { $0.reason.unicodeScalars.allSatisfy { !$0.isUnprintable } })
    }

    @Test(arguments: ["2.2.2.2 3.3.3.3", "2.2.2.2 a ::1 # two", "2.2.2.2 ::ffff:1.2.3.4"])
    func `a line with an address as a tag is invalid`(line: String) {
        let list = WatchListText("8.8.8.8\n\(line)\n")
        #expect(list.listed.map(\.address.description) == ["8.8.8.8"])
        #expect(list.badLines.map(\.number) == [2])
        #expect(list.badLines.first?.reason.contains("is an address, not a tag: write one address per line") == true)
    }

    @Test(arguments: ["3.3.3", "3.3.3.3.3", "3.3.3.3x", "dead", "1", "2001:db8"])
    func `a tag that only resembles an address is valid`(tag: String) {
        let list = WatchListText("2.2.2.2 \(tag)\n")
        #expect(list.badLines == [])
        #expect(list.listed.first?.tags == [tag])
    }
}
