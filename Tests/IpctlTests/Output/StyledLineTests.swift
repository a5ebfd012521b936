import Testing

@testable import ipctl

@Suite struct StyledLineTests {
    @Test func `the parts have their styles`() {
        var line = StyledLine("a", .bold)
        line.append("")
        line.append("b")
        #expect(line.text(on: .pipe) == "ab")
        #expect(line.text(on: Terminal(hasColor: true, columns: 80)) == "\u{1B}[1ma\u{1B}[0mb")
    }

    @Test(
        arguments: [
            (3, ["abc", "de", "東", "京"]), (4, ["abcd", "e東", "京"]), (8, ["abcde東", "京"]), (80, ["abcde東京"]),
            (1, ["a", "b", "c", "d", "e", "東", "京"]),
        ] as [(Int, [String])])
    func `a line is broken at the width of the screen`(columns: Int, lines: [String]) {
        var line = StyledLine("abc", .bold)
        line.append("de東京")
        #expect(line.broken(to: columns).map { $0.text(on: .pipe) } == lines)
        #expect(StyledLine().broken(to: columns) == [StyledLine()])
    }
}
