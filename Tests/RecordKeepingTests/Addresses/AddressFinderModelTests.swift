import RecordKeeping
import Testing

/// The finder with random texts, compared with simple statements of the rules.
@Suite struct AddressFinderModelTests {
    /// Finds IPv4 addresses in a text without slashes, backslashes, hyphens and colons: the maximal sequences of word
    /// bytes and periods, without the periods that end a sentence, that are addresses.
    private static func v4Model(_ text: String) -> [String] {
        text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".")) }.compactMap { token in
            let end = token.lastIndex { $0 != "." }.map { token.index(after: $0) } ?? token.startIndex
            return (try? IPAddress(String(token[..<end]))).map { "\($0)" }
        }
    }

    private static func text(of pieces: [String], count: Int, using random: inout Random) -> String {
        (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    @Test(arguments: 0..<2) func `IPv4 addresses are found as by the model`(seed: UInt64) {
        var random = Random(seed: seed)
        let pieces = [
            "1.2.3.4", "10.0.0.1", ".", ".", "0", "7", "25", "255", "256", " ", " ", ",", "=", "x", "_", "é", "(",
        ]
        for _ in 0..<3_000 {
            let text = Self.text(of: pieces, count: 12, using: &random)
            #expect(AddressFinderTests.addresses(in: text) == Self.v4Model(text), "\(text)")
        }
    }

    @Test(arguments: 0..<2) func `a word that is an address is found, and no word is found twice`(seed: UInt64) {
        var random = Random(seed: seed)
        let pieces = ["2001", "db8", "::", ":", ":", "1", "ffff", "0", "a", ".", "1.2.3.4", "fe80"]
        for _ in 0..<3_000 {
            let word = "2001:db8:" + Self.text(of: pieces, count: Int.random(in: 1...8, using: &random), using: &random)
            guard let address = try? IPAddress(word) else { continue }
            #expect(AddressFinderTests.addresses(in: "a=\(word) b") == ["\(address)"], "\(word)")
        }
    }

    /// Properties that hold for every text.
    @Test(arguments: 0..<2) func `found ranges are in order and contain addresses`(seed: UInt64) throws {
        var random = Random(seed: seed)
        let pieces = [
            "1.2.3.4", "2001:db8::1", "::1", "::ffff:", "fe80::1", "[", "]", ":", "::", ".", "-", "/", "%", "\\", "x",
            "f",
            "9", "80", "12345", " ", " ", "é", "_", "+",
        ]
        for _ in 0..<3_000 {
            let text = Array(Self.text(of: pieces, count: 10, using: &random).utf8)
            let found = AddressFinder.addresses(in: text)
            var previousEnd = 0
            for one in found {
                let plain = String(decoding: text[one.range], as: UTF8.self)
                #expect(try IPAddress(plain) == one.address, "\(plain)")
                #expect(previousEnd <= one.extent.lowerBound && one.extent.upperBound <= text.count)
                #expect(one.extent.lowerBound <= one.range.lowerBound && one.range.upperBound <= one.extent.upperBound)
                previousEnd = one.extent.upperBound
            }
        }
    }

    @Test(arguments: 0..<2) func `IPv6 is parsed alike with and without an allocation`(seed: UInt64) {
        var random = Random(seed: seed)
        let pieces = [
            "2001", "db8", "::", ":", ":", ":", "1", "ffff", "0", "A", "12345", "1.2.3.4", "255.255.255.255", "g",
        ]
        for _ in 0..<20_000 {
            let text = Self.text(of: pieces, count: Int.random(in: 0...16, using: &random), using: &random)
            let expected = try? IPAddress(text)
            let plain = Array(text.utf8).withUnsafeBufferPointer { IPAddress(plainV6: $0) }
            #expect(plain == (text.contains(":") ? expected : nil), "\(text)")
        }
    }
}
