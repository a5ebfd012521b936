import Testing

@testable import ipctl

@Suite struct AddressFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func addresses(_ text: String) throws -> [String] {
        try AddressFile(try folder.write(text, to: "a.txt")).addresses
    }

    @Test func `an address a line, and what is for people does not count`() throws {
        let text =
            "192.0.2.1\n# comment\n\n  \t\n  2001:DB8::1 # the resolver\n\t192.0.2.2\tand words\n::ffff:192.0.2.3#note"
        #expect(try addresses(text) == ["192.0.2.1", "2001:db8::1", "192.0.2.2", "192.0.2.3"])
    }

    @Test func `lines may end as on other systems`() throws {
        #expect(try addresses("192.0.2.1\r\n# comment\r\n\r\n192.0.2.2\r\n") == ["192.0.2.1", "192.0.2.2"])
    }

    @Test(arguments: ["", "\n\n", "# nothing"]) func `a file may hold no address`(text: String) throws {
        #expect(try addresses(text) == [])
    }

    @Test(arguments: ["192.0.2.1\n\n8.8.8 # short\n192.0.2.2", "192.0.2.1\r\n\r\n8.8.8\r\n"])
    func `a bad line is told with its place, and ends it`(text: String) throws {
        let path = try folder.write(text, to: "bad.txt")
        let complaint = #expect(throws: Complaint.self) { try AddressFile(path) }
        #expect(complaint?.status == .badData)
        #expect(
            complaint?.message
                == "line 3 of \(path): \"8.8.8\" is no IP address: an IPv4 address has four parts, this has 3")
    }

    @Test func `a bad line cannot change the terminal, and is told in a short sentence`() throws {
        let text = "\u{1B}[2J" + String(repeating: "1", count: 60_000)
        let path = try folder.write(text, to: "bad.txt")
        let complaint = #expect(throws: Complaint.self) { try AddressFile(path) }
        #expect(complaint?.message.contains("\u{1B}") == false)
        #expect((complaint?.message.utf8.count ?? .max) < 400)
    }

    @Test func `a file that is no text is told`() throws {
        let path = try folder.write([0x31, 0xFF, 0xFE, 0x0A], to: "binary")
        let complaint = #expect(throws: Complaint.self) { try AddressFile(path) }
        #expect(complaint?.status == .badData)
        #expect(complaint?.message == "line 1 of \(path): it is no UTF-8 text")
    }

    @Test func `a byte order mark at its beginning, and there only, is no part of it`() throws {
        #expect(try addresses("\u{FEFF}192.0.2.1\r\n192.0.2.2\r\n") == ["192.0.2.1", "192.0.2.2"])
        #expect(try addresses("\u{FEFF}# comment\n::1\n") == ["::1"])
        #expect(try addresses("\u{FEFF}") == [])
        #expect(throws: Complaint.self) { try addresses("192.0.2.1\n\u{FEFF}192.0.2.2\n") }
    }

    @Test func `a line that is longer than any ends it before the rest is read`() throws {
        let complaint = #expect(throws: Complaint.self) { try AddressFile("/dev/zero") }
        #expect(complaint?.status == .badData)
        let told = "line 1 of /dev/zero: it has more than 65,536 bytes, as no line of a list does"
        #expect(complaint?.message == told)
        let path = try folder.write("::1\n#" + String(repeating: "a", count: 65_536), to: "long.txt")
        let comment = #expect(throws: Complaint.self) { try AddressFile(path) }
        #expect(comment?.message.hasPrefix("line 2 of \(path): it has more than 65,536 bytes") == true)
    }

    @Test func `a list that is longer than a piece is read whole`() throws {
        let many = (0..<20_000).map { "10.0.\($0 >> 8).\($0 & 255)" }
        #expect(try addresses(many.joined(separator: " # somebody\n")) == many)
    }

    @Test func `a file that cannot be read is told with the cause`() throws {
        let missing = #expect(throws: Complaint.self) { try AddressFile(folder.file("missing")) }
        #expect(missing?.status == .badData)
        #expect(missing?.message == "cannot read \(folder.file("missing")): No such file or directory")
        let directory = #expect(throws: Complaint.self) { try AddressFile(folder.path) }
        #expect(directory?.message == "cannot read \(folder.path): Is a directory")
    }

    @Test func `a long list is sent in parts`() {
        #expect(Array(0..<10).parts(of: 4) == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]])
        #expect(Array(0..<4).parts(of: 4) == [[0, 1, 2, 3]])
        #expect([Int]().parts(of: 4) == [])
    }
}
