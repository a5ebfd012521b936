import RecordKeeping
import Testing
import Varlink

@testable import ipctl

/// The editor with random lines: what was in a line is still there, and what was added can be read.
@Suite struct LineEditorModelTests {
    private static let pieces = [
        "192.0.2.1", "2001:db8::1", "[2001:db8::1]:443", "203.0.113.9", " ", " ", ",", "\"", "\\", "\n", "\r", "\t",
        "=", "x",
        "é", "{", "}", ":", "/", "\u{7}", "a=", "192.0.2.1:80", "-", ".",
    ]

    private static func text(_ random: inout Random) -> String {
        let count = Int.random(in: 0...8, using: &random)
        return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
    }

    private static func value(_ random: inout Random, depth: Int = 0) -> Value {
        switch Int.random(in: 0...(depth < 3 ? 7 : 4), using: &random) {
        case 0...3: .string(text(&random))
        case 4: .int(.random(in: -9...9, using: &random))
        case 5: .array((0..<2).map { _ in value(&random, depth: depth + 1) })
        default:
            .object(
                Dictionary((0..<3).map { _ in (text(&random), value(&random, depth: depth + 1)) }) { first, _ in first }
            )
        }
    }

    /// The strings of a value, with the names of members.
    private static func strings(in value: Value) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let values): values.flatMap(strings)
        case .object(let members): members.flatMap { [$0.key] + strings(in: $0.value) }
        default: []
        }
    }

    @Test(arguments: 0..<2) func `an object keeps its members and gets those of its addresses`(seed: UInt64) throws {
        var random = Random(seed: seed)
        let editing = EditedLines(.json)
        for _ in 0..<1_500 {
            guard case .object(var members) = Self.value(&random) else { continue }
            let line = Array(Wire.encode(Value.object(members)).dropLast())
            let found = Self.strings(in: .object(members)).flatMap { AddressFinder.addresses(in: Array($0.utf8)) }
            let known = found.compactMap { one in
                EditedLines.known[one.address].map { ("\(one.address)", Value.object($0)) }
            }
            if !known.isEmpty { members["iprecord"] = .object(Dictionary(known) { first, _ in first }) }
            let edited = try editing.edited(line + [UInt8(ascii: "\n")]).dropLast()
            #expect(
                try Wire.decode(Value.self, from: edited) == .object(members),
                "\(String(decoding: line, as: UTF8.self))")
        }
    }

    @Test(arguments: 0..<2) func `a row of CSV keeps its fields and gets three`(seed: UInt64) throws {
        var random = Random(seed: seed)
        let editing = EditedLines(.csv, hasHeader: false)
        for _ in 0..<1_500 {
            let fields = (0..<3).map { _ in Self.text(&random) } + ["end"]
            let edited = try editing.edited(CSVRow(fields).bytes)
            let read = try CSVRow(reading: edited[...].dropLast(2)).fields
            #expect(Array(read.prefix(4)) == fields && read.count == 7, "\(fields)")
        }
    }

    @Test(arguments: LineFormat.allCases) func `the output does not depend on the chunks`(format: LineFormat) throws {
        var random = Random(seed: 3)
        for _ in 0..<200 {
            let stream = Array((0..<6).map { _ in Self.text(&random) }.joined(separator: "\n").utf8)
            let outputs = try [1, 2, 7, 1_000].map { size in
                try EditedLines(format).edited(stream: stream, inChunksOf: size, maxLineBytes: 40)
            }
            #expect(Set(outputs).count == 1, "\(String(decoding: stream, as: UTF8.self))")
        }
    }

    @Test(arguments: [LineFormat.text, .logfmt, .csv])
    func `a line is kept before the added fields`(format: LineFormat) throws {
        var random = Random(seed: 4)
        let editing = EditedLines(format, hasHeader: false)
        for _ in 0..<1_500 {
            let line = Self.text(&random).filter { !$0.isNewline } + "|"
            for end in ["", "\n", "\r\n"] {
                let edited = try editing.edited(line + end)
                #expect(edited.utf8.starts(with: line.utf8) && edited.utf8.reversed().starts(with: end.utf8.reversed()))
            }
        }
    }
}
