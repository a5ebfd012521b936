import Foundation
import RecordKeeping
import StoredValues
import TestSupport
import Testing

@testable import RecordStore

/// Reads texts and changed fields as JSON in columns.
@Suite(.timeLimit(.minutes(20))) struct JSONColumnReadingTests {
    private static let texts = [
        "", "plain", "a/b", #"a\/b"#, #"\"#, #"\\/"#, #""quoted""#, "line\nend", "tab\tcr\rbell\u{7}nul\u{0}",
        "\u{1F}\u{7F}",
        "\u{2028}\u{2029}", "\u{E9}", "e\u{301}", "\u{FEFF}mark", "東京都", "🏳️‍🌈", "\u{10FFFF}", "</script>", "\\u002F",
        "[\"json\"]", "null", String(repeating: "long/", count: 1_000),
    ]

    private static let changes: [FieldChange] = texts.flatMap { text in
        [
            FieldChange(field: "city", old: text, new: nil), FieldChange(field: "isp", old: nil, new: text),
            FieldChange(field: text, old: text, new: text + "/"),
        ]
    }

    /// The bytes of texts; equality of strings would not show whether a text was normalized.
    private func bytes(_ texts: [String]) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    private func bytes(_ changes: [FieldChange]) -> [[[UInt8]?]] {
        changes.map { [Array($0.field.utf8), $0.old.map { Array($0.utf8) }, $0.new.map { Array($0.utf8) }] }
    }

    /// The text of `JSONEncoder`, which earlier versions stored. It escapes slashes.
    private func earlierText(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test func `texts are read as they were written, one by one and together`() throws {
        for texts in Self.texts.map({ [$0] }) + [Self.texts, []] {
            let read: [String] = try JSONColumn.value(from: JSONColumn.text(texts))
            #expect(bytes(read) == bytes(texts))
        }
    }

    @Test func `changed fields are read as they were written, one by one and together`() throws {
        for changes in Self.changes.map({ [$0] }) + [Self.changes, []] {
            let read: [FieldChange] = try JSONColumn.value(from: JSONColumn.text(changes))
            #expect(bytes(read) == bytes(changes))
        }
    }

    @Test func `the text of earlier versions has the same value`() throws {
        #expect(try earlierText(["a/b"]) == #"["a\/b"]"#)
        let texts: [String] = try JSONColumn.value(from: try earlierText(Self.texts))
        #expect(bytes(texts) == bytes(Self.texts))
        let changes: [FieldChange] = try JSONColumn.value(from: try earlierText(Self.changes))
        #expect(bytes(changes) == bytes(Self.changes))
        let spaced: [FieldChange] = try JSONColumn.value(
            from: #" [ { "old" : null , "new" : "\u0041\/\ud83c\udf0d" , "field" : "city" } ] "#)
        #expect(spaced == [FieldChange(field: "city", old: nil, new: "A/🌍")])
    }

    @Test(arguments: ["", "[", "null", "{}", #"["a""#, "[1]", #"[{"old":"a"}]"#, #"["\x"]"#])
    func `a text that is not an array of the expected values is an error`(text: String) {
        #expect(throws: (any Error).self) { try JSONColumn.value(from: text) as [FieldChange] }
        #expect(throws: (any Error).self) { try JSONColumn.value(from: text) as [String] }
    }

    @Test func `tags, omitted fields and changes that an earlier version stored are restored`() async throws {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        var entry = Sample.entry()
        entry.watch?.tags = ["dns", "placeholder"]
        entry.omissions = [FieldChange(field: "placeholder", old: "a", new: nil)]
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(address, entry) + [.event(Sample.change(1, of: address))])
        }
        let changes = [FieldChange(field: "isp", old: "A/S \"x\"", new: #"B\C/D"#)]
        let omissions = [FieldChange(field: "city", old: "Halle/Saale", new: nil)]
        let database = try SQLite(folder.database)
        try database.run(
            """
            UPDATE entry SET tags = '\(try earlierText(["a/b", "dns"]))', omissions = '\(try earlierText(omissions))';
            UPDATE change SET fields = '\(try earlierText(changes))';
            UPDATE notice SET fields = '\(try earlierText(changes))';
            """)
        for table in ["notice", "change"] {
            #expect(try database.text("SELECT fields FROM \(table)").contains(#"A\/S"#), "the text has escaped slashes")
        }
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
            #expect(unreadable.isEmpty)
            let found = try #require(restored.byAddress[address])
            #expect(found.watch?.tags == ["a/b", "dns"])
            #expect(found.omissions == omissions)
            #expect(try await store.changes(of: address).map(\.fields) == [changes])
            #expect(try await store.events(after: 0).map(\.fields) == [changes])
        }
    }
}
