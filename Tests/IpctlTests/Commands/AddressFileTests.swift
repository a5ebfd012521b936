import RecordKeeping
import TestSupport
import Testing

@testable import ipctl

@Suite struct AddressFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func addresses(_ text: String) throws -> [String] {
        try AddressFile(try folder.write(text, to: "a.txt")).listed.map(\.address.description)
    }

    @Test func `a file has one address per line, and comments are ignored`() throws {
        let text =
            "192.0.2.1\n# comment\n\n  \t\n  2001:DB8::1 # the resolver\n\t192.0.2.2\tand words\n::ffff:192.0.2.3#note"
        #expect(try addresses(text) == ["192.0.2.1", "2001:db8::1", "192.0.2.2", "192.0.2.3"])
    }

    @Test func `lines may end with CR LF`() throws {
        #expect(try addresses("192.0.2.1\r\n# comment\r\n\r\n192.0.2.2\r\n") == ["192.0.2.1", "192.0.2.2"])
    }

    @Test(arguments: ["", "\n\n", "# nothing"]) func `a file may have no addresses`(text: String) throws {
        #expect(try addresses(text) == [])
    }

    @Test(arguments: ["192.0.2.1\n\n8.8.8 # short\n192.0.2.2", "192.0.2.1\r\n\r\n8.8.8\r\n"])
    func `an invalid line is an error with its line number`(text: String) throws {
        let path = try folder.write(text, to: "bad.txt")
        let commandError = #expect(throws: CommandError.self) { try AddressFile(path) }
        #expect(commandError?.status == .badData)
        #expect(
            commandError?.message
                == "line 3 of \(path): \"8.8.8\" is not an IP address: an IPv4 address has four parts; this one has 3")
    }

    @Test func `all invalid lines are named, up to a limit`() throws {
        let path = try folder.write("192.0.2.1\na.example\n::1 a,b\n192.0.2.2\n8.8.8", to: "bad.txt")
        let commandError = #expect(throws: CommandError.self) { try AddressFile(path) }
        let lines = commandError?.message.split(separator: "\n").map { String($0) } ?? []
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("line 2 of \(path): \"a.example\" is not an IP address: ") == true, "\(lines)")
        #expect(lines.dropFirst().first?.hasPrefix("line 3 of \(path): \"a,b\" is not a valid tag") == true, "\(lines)")
        #expect(lines.last?.hasPrefix("line 5 of \(path): \"8.8.8\" is not an IP address: ") == true, "\(lines)")
        for (count, last) in [
            (11, "1 more line is invalid"), (999, "989 more lines are invalid"),
            (1_001, "at least 990 more lines are invalid"),
        ] {
            let path = try folder.write(String(repeating: "x\n", count: count) + "::1\n", to: "many.txt")
            let many = #expect(throws: CommandError.self) { try AddressFile(path) }
            let lines = many?.message.split(separator: "\n") ?? []
            #expect(lines.count == 11)
            #expect(lines.last == last[...])
        }
    }

    @Test func `invalid arguments and invalid lines of several files are named together`() throws {
        let bad = try folder.write("192.0.2.1\n8.8.8\n", to: "bad.txt")
        let (good, missing) = (try folder.write("::1\n", to: "good.txt"), folder.file("missing"))
        let commandError = #expect(throws: CommandError.self) {
            try AddressList(arguments: ["a.example", "192.0.2.9"], files: [good, missing, bad])
        }
        #expect(commandError?.status == .badData)
        let lines = commandError?.message.split(separator: "\n").map { String($0) } ?? []
        #expect(lines.count == 3)
        #expect(lines.first?.hasPrefix("\"a.example\" is not an IP address: ") == true, "\(lines)")
        #expect(lines.dropFirst().first == "cannot read \(missing): No such file or directory")
        #expect(lines.last?.hasPrefix("line 2 of \(bad): \"8.8.8\" is not an IP address: ") == true, "\(lines)")
        let many = #expect(throws: CommandError.self) {
            try AddressList(arguments: Array(repeating: "x", count: 12), files: [bad])
        }
        #expect(many?.message.hasSuffix("\n2 more arguments are not IP addresses\n1 more line is invalid") == true)
    }

    @Test func `an invalid line is quoted short and printable`() throws {
        let text = "\u{1B}[2J" + String(repeating: "1", count: 60_000)
        let path = try folder.write(text, to: "bad.txt")
        let commandError = #expect(throws: CommandError.self) { try AddressFile(path) }
        #expect(commandError?.message.contains("\u{1B}") == false)
        #expect((commandError?.message.utf8.count ?? .max) < 400)
    }

    @Test func `a file that is not UTF-8 is reported`() throws {
        let path = try folder.write([0x31, 0xFF, 0xFE, 0x0A], to: "binary")
        let commandError = #expect(throws: CommandError.self) { try AddressFile(path) }
        #expect(commandError?.status == .badData)
        #expect(commandError?.message == "line 1 of \(path): not valid UTF-8")
    }

    @Test func `a byte order mark is skipped only at the beginning`() throws {
        #expect(try addresses("\u{FEFF}192.0.2.1\r\n192.0.2.2\r\n") == ["192.0.2.1", "192.0.2.2"])
        #expect(try addresses("\u{FEFF}# comment\n::1\n") == ["::1"])
        #expect(try addresses("\u{FEFF}") == [])
        #expect(throws: CommandError.self) { try addresses("192.0.2.1\n\u{FEFF}192.0.2.2\n") }
    }

    @Test func `an overlong line is an error before the rest is read`() throws {
        let commandError = #expect(throws: CommandError.self) { try AddressFile("/dev/zero") }
        #expect(commandError?.status == .badData)
        let expectedText = "line 1 of /dev/zero: longer than the limit of 65,536 bytes"
        #expect(commandError?.message == expectedText)
        let path = try folder.write("::1\n#" + String(repeating: "a", count: 65_536), to: "long.txt")
        let comment = #expect(throws: CommandError.self) { try AddressFile(path) }
        #expect(comment?.message.hasPrefix("line 2 of \(path): longer than the limit of 65,536 bytes") == true)
    }

    @Test func `a list longer than a chunk is read completely`() throws {
        let many = (0..<20_000).map { "10.0.\($0 >> 8).\($0 & 255)" }
        #expect(try addresses(many.joined(separator: " # somebody\n")) == many)
    }

    @Test func `an unreadable file is reported with the reason`() throws {
        let missing = #expect(throws: CommandError.self) { try AddressFile(folder.file("missing")) }
        #expect(missing?.status == .badData)
        #expect(missing?.message == "cannot read \(folder.file("missing")): No such file or directory")
        let directory = #expect(throws: CommandError.self) { try AddressFile(folder.path) }
        #expect(directory?.message == "cannot read \(folder.path): Is a directory")
    }

    @Test func `a long list is sent in parts`() {
        #expect(Array(0..<10).parts(of: 4) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
        #expect(Array(0..<4).parts(of: 4) == [[0, 1, 2, 3]])
        #expect([Int]().parts(of: 4) == [])
    }
}
