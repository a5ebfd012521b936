import JSON
import Testing

@testable import ipctl

/// A lookup must never return the value of another key.
struct StoredPartsTests {
    private static func begin(_ key: String, _ flag: Bool?, in parts: inout StoredParts<String>) throws {
        let bytes = Array("\"\(key)\"".utf8)
        var scanner = JSONScanner(bytes.span.bytes)
        let text = try scanner.string()
        parts.begin()
        parts.append(text, in: scanner)
        parts.append(flag)
    }

    @Test(arguments: [4, 64, 1_024])
    func `the value of a key is found or missing, and never that of another key`(maximum: Int) throws {
        var parts = StoredParts<String>(maximum: maximum)
        for round in 0..<3 {
            for number in 0..<300 {
                // Keys of all lengths, with common first and last bytes.
                let key = String(repeating: "k", count: number % 40) + "\(number)" + "tail"
                try Self.begin(key, number % 2 == 0, in: &parts)
                if let known = parts.known { #expect(known == "\(number)") }
                #expect(parts.remember("\(number)") == "\(number)")
                #expect(parts.known == "\(number)")
                try Self.begin(key, nil, in: &parts)
                #expect(parts.known == nil, "in round \(round), the key with another flag")
            }
        }
    }

    @Test func `a half-full cache keeps nearly all keys`() throws {
        var parts = StoredParts<String>(maximum: 1_024)
        for number in 0..<512 {
            try Self.begin("City \(number)", true, in: &parts)
            _ = parts.remember("\(number)")
        }
        var missing = 0
        for number in 0..<512 {
            try Self.begin("City \(number)", true, in: &parts)
            if parts.known == nil { missing += 1 }
        }
        #expect(missing < 40, "a set holds four keys, and seldom gets more")
    }

    @Test func `parts of a key are separate`() throws {
        var parts = StoredParts<String>(maximum: 64)
        let bytes = Array(#"["ab","c","a","bc"]"#.utf8)
        var (scanner, texts): (JSONScanner, [JSONText]) = (JSONScanner(bytes.span.bytes), [])
        try scanner.beginArray()
        while try scanner.nextElement() { texts.append(try scanner.string()) }
        parts.begin()
        parts.append(texts[0], in: scanner)
        parts.append(texts[1], in: scanner)
        _ = parts.remember("ab, c")
        parts.begin()
        parts.append(texts[2], in: scanner)
        parts.append(texts[3], in: scanner)
        #expect(parts.known == nil)
    }
}
