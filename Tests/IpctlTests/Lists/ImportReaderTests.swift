import TestSupport
import Testing

@testable import ipctl

@Suite struct ImportReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func entries(_ text: String, format: ListFormat? = nil) throws -> [ListedEntry] {
        let reader = try ImportReader(try folder.write(text, to: "list"), format: format)
        var entries: [ListedEntry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return entries
    }

    private static let both = [
        ListedEntry(address: "192.0.2.1", tags: ["dns", "prod"], note: "a, \"b\"", isPinned: true),
        ListedEntry(address: "2001:db8::1"),
    ]

    @Test func `JSON Lines is detected by its content, and only the address is required`() throws {
        let text = """

            {"address":"::ffff:192.0.2.1","tags":["prod","dns","dns"],"note":"a, \\"b\\"","pinned":true}

            {"address":"2001:DB8::1"}
            {"address":"2001:db8::1","tags":[],"note":null,"pinned":false}\n
            """
        #expect(try entries(text) == Self.both + [Self.both[1]])
        // Windows and spreadsheets write a byte order mark.
        #expect(try entries("\u{FEFF}" + text.replacing("\n", with: "\r\n")) == Self.both + [Self.both[1]])
    }

    @Test func `CSV is detected by its header, with columns in any order, most of them optional`() throws {
        #expect(
            try entries("address,tags,note,pinned\r\n192.0.2.1,prod  dns,\"a, \"\"b\"\"\",true\r\n2001:db8::1,,,\r\n")
                == Self.both)
        #expect(try entries("\u{FEFF}note,address\n,2001:db8::1").last == Self.both[1])
    }

    @Test(arguments: ["", "\n \n", "\u{FEFF}", "address,tags\n"]) func `a list may be empty`(text: String) throws {
        #expect(try entries(text) == [])
    }

    @Test func `a line of a reply may be imported as it is`() throws {
        let line = #"{"address":"192.0.2.1","state":"fresh","watched":true,"record":{"city":"Berlin"},"scannedAt":5}"#
        #expect(try entries(line) == [ListedEntry(address: "192.0.2.1")])
    }

    @Test(
        arguments: [
            (#"{"address":"8.8.8"}"#, "\"8.8.8\" is not an IP address: an IPv4 address has four parts; this one has 3"),
            (
                #"{"adress":"::1"}"#,
                "unknown member \"adress\"; expected one of: address, tags, note, pinned, watchedUntil"
            ),
            (#"{"tags":[]}"#, "missing member \"address\""), (#"{"address":5}"#, "\"address\" must be a string"),
            (#"{"address":null}"#, "\"address\" must be a string"),
            (#"{"address":"::1","tags":"dns"}"#, "\"tags\" must be an array of strings, such as [\"dns\"]"),
            (#"{"address":"::1","tags":[1]}"#, "\"tags\" must be an array of strings, such as [\"dns\"]"),
            (#"{"address":"::1","pinned":"yes"}"#, "\"pinned\" must be true or false"),
            (#"{"address":"::1","tags":["a,b"]}"#, "\"a,b\" is not a valid tag: a tag is a single word"),
            (
                #"{"address":"::1","note":"a\nb"}"#,
                "\"a\u{FFFD}b\" is not a valid note: a note is a single line of at most"
            ),
            ("{\"address\"", "not valid JSON: expected one object per line"),
            ("5", "expected one JSON object per line"),
            ("::1", "not valid JSON: expected one object per line"),
        ] as [(String, String)])
    func `an error in a line of JSON is reported with its line number`(line: String, message: String) throws {
        let text = #"{"address":"192.0.2.1"}"# + "\n\n" + line + "\n"
        let commandError = #expect(throws: CommandError.self) { try entries(text) }
        #expect(commandError?.status == .badData)
        #expect(
            commandError?.message.hasPrefix("line 3 of \(folder.file("list")): \(message)") == true,
            "\(commandError?.message ?? "")")
    }

    @Test(
        arguments: [
            ("8.8.8,,", "\"8.8.8\" is not an IP address"), ("::1,a", "expected 3 columns, got 2"),
            ("::1,a,b,c", "expected 3 columns, got 4"), ("::1,\"a,b\",", "\"a,b\" is not a valid tag"),
            ("::1,,maybe", "\"pinned\" must be true or false, got \"maybe\""),
            ("::1,\"a\nb", "unterminated quote"), ("::1,\"a\"b,", "expected a comma after the closing quote"),
        ] as [(String, String)])
    func `an error in a row of CSV is reported with its line number`(row: String, message: String) throws {
        let commandError = #expect(throws: CommandError.self) { try entries("address,tags,pinned\n\n\(row)\n") }
        #expect(commandError?.status == .badData)
        #expect(
            commandError?.message.hasPrefix("line 3 of \(folder.file("list")): \(message)") == true,
            "\(commandError?.message ?? "")")
    }

    @Test(
        arguments: [
            (
                "192.0.2.1\n",
                "not a watch list: expected a line of JSON, or the header address,tags,note,pinned,watchedUntil"
            ),
            ("address,tag\n", "unknown column \"tag\"; expected one of: address, tags, note, pinned, watchedUntil"),
            ("address,note,note\n", "duplicate column \"note\""),
        ])
    func `a file that is not a list is reported`(text: String, message: String) throws {
        let commandError = #expect(throws: CommandError.self) { try entries(text) }
        #expect(commandError?.message == "line 1 of \(folder.file("list")): \(message)")
    }

    @Test func `a file that is not UTF-8 and a file without line breaks are reported`() throws {
        let binary = try folder.write([0x1F, 0x8B, 0xFF, 0x0A], to: "binary")
        let commandError = #expect(throws: CommandError.self) { try ImportReader(binary, format: nil).next() }
        #expect(commandError?.message == "line 1 of \(binary): not valid UTF-8")
        let zeros = try folder.write([UInt8](repeating: 0, count: 200_000), to: "zeros")
        let other = #expect(throws: CommandError.self) { try ImportReader(zeros, format: nil).next() }
        #expect(other?.message == "line 1 of \(zeros): longer than the limit of 65,536 bytes")
        let missing = #expect(throws: CommandError.self) { try ImportReader(folder.file("missing"), format: nil) }
        #expect(missing?.message == "cannot read \(folder.file("missing")): No such file or directory")
        let directory = #expect(throws: CommandError.self) { try ImportReader(folder.path, format: nil) }
        #expect(directory?.message == "cannot read \(folder.path): Is a directory")
    }

    @Test func `a written entry is read back`() throws {
        let all =
            Self.both + [ListedEntry(address: "192.0.2.9", tags: ["ümlaut"], note: " 日本, \"x\" ", isPinned: false)]
        let json = all.flatMap { $0.json }
        #expect(try entries(String(decoding: json, as: UTF8.self)) == all)
        let csv = CSVColumns.header.bytes + all.flatMap { $0.csv.bytes }
        #expect(try entries(String(decoding: csv, as: UTF8.self)) == all)
        #expect(
            String(decoding: all[1].json, as: UTF8.self)
                == #"{"address":"2001:db8::1","note":null,"pinned":false,"tags":[]}"# + "\n")
    }
}
