import Testing

@testable import ipctl

@Suite struct ListReaderTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func entries(_ text: String, format: ListFormat? = nil) throws -> [ListedEntry] {
        let reader = try ListReader(try folder.write(text, to: "list"), format: format)
        var entries: [ListedEntry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return entries
    }

    private static let both = [
        ListedEntry(address: "192.0.2.1", tags: ["dns", "prod"], note: "a, \"b\"", isPinned: true),
        ListedEntry(address: "2001:db8::1"),
    ]

    @Test func `JSON Lines is told by its content, and all but the address may be left out`() throws {
        let text = """

            {"address":"::ffff:192.0.2.1","tags":["prod","dns","dns"],"note":"a, \\"b\\"","pinned":true}

            {"address":"2001:DB8::1"}
            {"address":"2001:db8::1","tags":[],"note":null,"pinned":false}\n
            """
        #expect(try entries(text) == Self.both + [Self.both[1]])
        // As Windows and spreadsheets write it.
        #expect(try entries("\u{FEFF}" + text.replacing("\n", with: "\r\n")) == Self.both + [Self.both[1]])
    }

    @Test func `CSV is told by its header, whose columns may come in any order and be left out`() throws {
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
            (#"{"address":"8.8.8"}"#, "\"8.8.8\" is no IP address: an IPv4 address has four parts, this has 3"),
            (#"{"adress":"::1"}"#, "there is no member \"adress\"; the members are address, tags, note, pinned"),
            (#"{"tags":[]}"#, "the member \"address\" is missing"), (#"{"address":5}"#, "\"address\" has to be a text"),
            (#"{"address":null}"#, "\"address\" has to be a text"),
            (#"{"address":"::1","tags":"dns"}"#, "\"tags\" has to be a list of texts, such as [\"dns\"]"),
            (#"{"address":"::1","tags":[1]}"#, "\"tags\" has to be a list of texts, such as [\"dns\"]"),
            (#"{"address":"::1","pinned":"yes"}"#, "\"pinned\" has to be true or false"),
            (#"{"address":"::1","tags":["a,b"]}"#, "\"a,b\" is no tag: a tag is one word without a comma"),
            (#"{"address":"::1","note":"a\nb"}"#, "\"a\u{FFFD}b\" is no note: a note is one line of at most"),
            ("{\"address\"", "this is no JSON: a line is one object"), ("5", "a line is one JSON object"),
            ("::1", "this is no JSON: a line is one object"),
        ] as [(String, String)])
    func `what a line of JSON has wrong is told with its place`(line: String, message: String) throws {
        let text = #"{"address":"192.0.2.1"}"# + "\n\n" + line + "\n"
        let complaint = #expect(throws: Complaint.self) { try entries(text) }
        #expect(complaint?.status == .badData)
        #expect(
            complaint?.message.hasPrefix("line 3 of \(folder.file("list")): \(message)") == true,
            "\(complaint?.message ?? "")")
    }

    @Test(
        arguments: [
            ("8.8.8,,", "\"8.8.8\" is no IP address"), ("::1,a", "there are 3 columns, and this has 2"),
            ("::1,a,b,c", "there are 3 columns, and this has 4"), ("::1,\"a,b\",", "\"a,b\" is no tag"),
            ("::1,,maybe", "\"maybe\" is neither true nor false, as \"pinned\" has to be"),
            ("::1,\"a\nb", "a quote is opened and not closed"), ("::1,\"a\"b,", "after the quote that closes"),
        ] as [(String, String)])
    func `what a row of CSV has wrong is told with its place`(row: String, message: String) throws {
        let complaint = #expect(throws: Complaint.self) { try entries("address,tags,pinned\n\n\(row)\n") }
        #expect(complaint?.status == .badData)
        #expect(
            complaint?.message.hasPrefix("line 3 of \(folder.file("list")): \(message)") == true,
            "\(complaint?.message ?? "")")
    }

    @Test(
        arguments: [
            (
                "192.0.2.1\n",
                "this is no list: it begins with a line of JSON, or with the header address,tags,note,pinned"
            ),
            ("address,tag\n", "there is no column \"tag\"; the columns are address, tags, note, pinned"),
            ("address,note,note\n", "there are two columns \"note\""),
        ])
    func `what is no list is told`(text: String, message: String) throws {
        let complaint = #expect(throws: Complaint.self) { try entries(text) }
        #expect(complaint?.message == "line 1 of \(folder.file("list")): \(message)")
    }

    @Test func `what is no text is told, and so is what has no lines`() throws {
        let binary = try folder.write([0x1F, 0x8B, 0xFF, 0x0A], to: "binary")
        let complaint = #expect(throws: Complaint.self) { try ListReader(binary, format: nil).next() }
        #expect(complaint?.message == "line 1 of \(binary): this is no UTF-8 text")
        let zeros = try folder.write([UInt8](repeating: 0, count: 200_000), to: "zeros")
        let other = #expect(throws: Complaint.self) { try ListReader(zeros, format: nil).next() }
        #expect(other?.message == "line 1 of \(zeros): it has more than 65,536 bytes, as no line of a list does")
        let missing = #expect(throws: Complaint.self) { try ListReader(folder.file("missing"), format: nil) }
        #expect(missing?.message == "cannot read \(folder.file("missing")): No such file or directory")
        let directory = #expect(throws: Complaint.self) { try ListReader(folder.path, format: nil) }
        #expect(directory?.message == "cannot read \(folder.path): Is a directory")
    }

    @Test func `what is written is read again`() throws {
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
