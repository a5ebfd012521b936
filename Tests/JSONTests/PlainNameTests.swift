import Testing

@testable import JSON

/// `nextName(among:startingAt:)` must agree with `nextName()`.
struct PlainNameTests {
    private static let names = ["as", "asn", "asname", "continentCode", "a", ""].map { PlainName($0) }

    /// Reads an object of numbers, with `nextName(among:startingAt:)` where that is possible, and returns its members
    /// as text.
    private static func members(_ text: String, from first: Int, maxParts: Int = .max) throws -> [String] {
        let bytes = Array(text.utf8)
        var scanner = JSONScanner(bytes.span.bytes)
        scanner.maxParts = maxParts
        var members: [String] = []
        try scanner.beginObject()
        while true {
            if let index = scanner.nextName(among: names, startingAt: first) {
                members.append("fast \(index)")
            } else if let name = try scanner.nextName() {
                members.append("slow \(scanner.string(of: name))")
            } else {
                break
            }
            members[members.count - 1] += " \(try scanner.number().int64 ?? -1)"
        }
        try scanner.end()
        #expect(scanner.depth == 0)
        return members
    }

    @Test(arguments: 0..<6)
    func `known names are found from any start`(first: Int) throws {
        let text = #"{"asn":1,"as":2,"continentCode":3,"":4,"a":5,"asname":6,"as":7,"later":8          }"#
        #expect(
            try Self.members(text, from: first) == [
                "fast 1 1", "fast 0 2", "fast 3 3", "fast 5 4", "fast 4 5", "fast 2 6", "fast 0 7", "slow later 8",
            ])
    }

    @Test func `the general method reads other spellings`() throws {
        let text = #"{ "as":1 ,"as":2, "as":3,"as" :4,"\u0061s":5,"ASN":6,"asnam":7,"asnames":8,"as":9          }"#
        #expect(
            try Self.members(text, from: 0) == [
                "slow as 1", "slow as 2", "slow as 3", "slow as 4", "slow as 5", "slow ASN 6", "slow asnam 7",
                "slow asnames 8", "fast 0 9",
            ])
    }

    @Test func `a name near the end of the text is read`() throws {
        #expect(try Self.members(#"{"as":1}"#, from: 0) == ["slow as 1"])
        #expect(try Self.members(#"{"continentCode":1}"#, from: 3) == ["fast 3 1"])
        #expect(try Self.members("{}", from: 0) == [])
    }

    @Test(arguments: [
        #"{"as":1 "as":2              }"#, #"{,"as":1              }"#, #"{"as":1,,"as":2              }"#,
        #"{"as":1,}              "#, #"{"as"1              }"#,
    ])
    func `an invalid object is an error`(text: String) {
        #expect(throws: JSONError.self) { try Self.members(text, from: 0) }
    }

    @Test func `the limit of values holds`() throws {
        let text = #"{"as":1,"as":2,"as":3              }"#
        // An opening bracket, three colons and two commas.
        #expect(try Self.members(text, from: 0, maxParts: 6).count == 3)
        for maxParts in 0..<6 {
            #expect(throws: JSONError.self) { try Self.members(text, from: 0, maxParts: maxParts) }
        }
    }
}
