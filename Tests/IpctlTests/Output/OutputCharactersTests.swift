import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// The program's symbols in locales without UTF-8.
@Suite struct OutputCharactersTests {
    @Test(
        arguments: [
            ([:], false), (["LANG": "C"], true), (["LANG": "en_US.UTF-8"], false), (["LANG": "de_DE.utf8"], false),
            (["LANG": "en_US.UTF-8", "LC_ALL": "C"], true), (["LANG": "C", "LC_CTYPE": "C.UTF-8"], false),
            (["LANG": "de_DE.UTF-8@euro"], false), (["LC_ALL": "", "LC_CTYPE": "", "LANG": "POSIX"], true),
            (["LANG": "de_DE.ISO-8859-1"], true),
        ] as [([String: String], Bool)])
    func `the locale determines the characters`(variables: [String: String], isASCII: Bool) {
        #expect(OutputCharacters { variables[$0] }.isASCII == isASCII)
    }

    @Test func `each symbol has one ASCII character, and other text is unchanged`() {
        let characters = OutputCharacters { _ in "C" }
        #expect(characters.text("● fresh ⣀⠒ Zürich → 東京 … ✓✗–") == "o fresh .. Zürich > 東京 ~ +x-")
        #expect(OutputCharacters { _ in nil }.text("● … ✓") == "● … ✓")
    }

    private static func run(_ replies: [[UInt8]], _ arguments: String..., locale: String) throws -> BuiltIpctl.Ended {
        let server = try WireServer(replies)
        return try BuiltIpctl.run(
            ["--socket", server.path] + arguments,
            environment: ["LC_ALL": locale, "RES_OPTIONS": "timeout:1 attempts:1"])
    }

    @Test(arguments: [("C", true), ("C.UTF-8", false)])
    func `map, doctor and messages are ASCII unless the locale has UTF-8`(locale: String, isASCII: Bool) throws {
        let map = try Self.run(Sample.counts([try Sample.placed(52.5, 13.4, city: "Berlin")]), "map", locale: locale)
        let doctor = try Self.run(DoctorOutput.replies(Sample.status()), "doctor", locale: locale)
        for output in [map.output, doctor.output] {
            #expect(!output.isEmpty)
            #expect(output.utf8.allSatisfy { $0 < 0x80 } == isASCII)
        }
    }

    @Test func `the help is ASCII unless the locale has UTF-8, and otherwise the same`() throws {
        let overview = try BuiltIpctl.run(["--help"]).output.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }
        let names = overview.compactMap { line in line.firstMatch(of: #/^  ([a-z]+)  /#).map { String($0.1) } }
        #expect(names.count >= 19)
        var symbols = 0
        for arguments in [["help"], ["doctor", "--help"]] + names.map({ ["help", $0] }) {
            let ascii = try BuiltIpctl.run(arguments, environment: ["LC_ALL": "C", "COLUMNS": "80"])
            let unicode = try BuiltIpctl.run(arguments, environment: ["LC_ALL": "C.UTF-8", "COLUMNS": "80"])
            #expect(ascii.status == 0 && ascii.errors == "", "\(arguments)")
            #expect(ascii.output.utf8.allSatisfy { $0 < 0x80 }, "\(ascii.output)")
            #expect(ascii.output == OutputCharacters { _ in "C" }.text(unicode.output))
            symbols += unicode.output.unicodeScalars.count { $0.value >= 0x80 }
        }
        #expect(symbols > 0)
    }

    @Test func `a field is printed unchanged in every locale`() throws {
        var entry = try Sample.entry(.fresh, record: Sample.record, scanned: -1)
        entry.note = "Zürich → …"
        let ended = try Self.run(
            [OutgoingReply.message(["entries": [entry]])], "show", "192.0.2.1", "--field", "note", locale: "C")
        #expect(ended.output == "Zürich → …\n")
    }
}
