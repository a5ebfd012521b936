import RecordKeeping
import Varlink

@testable import ipctl

/// An editor with two known addresses.
final class EditedLines {
    private let addition: FieldAddition
    private var editor: LineEditor
    private var scanned = ScannedLine()

    static let known: [IPAddress: [String: Value]] = [
        IPAddress(v4: 0xC000_0201): ["country": .string("DE"), "asn": .int(64_500)],
        IPAddress(high: 0x2001_0DB8_0000_0000, low: 1): ["country": .string("FR"), "isp": .string("A \"B\" C")],
    ]

    init(_ addition: FieldAddition, columns: [String] = [], hasHeader: Bool = true) {
        self.addition = addition
        editor = LineEditor(addition, columns: columns, hasHeader: hasHeader)
    }

    convenience init(_ format: LineFormat, hasHeader: Bool = true) {
        self.init(FieldAddition(format, names: ["country", "asn", "isp"]), hasHeader: hasHeader)
    }

    func edited(_ line: [UInt8]) throws(LineError) -> [UInt8] {
        var output: [UInt8] = []
        try line.withUnsafeBufferPointer { line throws(LineError) in
            try editor.scan(line, into: &scanned)
            editor.write(line, scanned, fields: fields, to: &output)
        }
        return output
    }

    func edited(_ line: String) throws(LineError) -> String {
        String(decoding: try edited(Array(line.utf8)), as: UTF8.self)
    }

    /// Returns the output for a stream that arrives in chunks of a size.
    func edited(stream: [UInt8], inChunksOf size: Int, maxLineBytes: Int) throws(LineError) -> [UInt8] {
        var (lines, output) = (RawLines(addition.format, maxLineBytes: maxLineBytes), [UInt8]())
        func readLines() throws(LineError) {
            while let part = lines.next() {
                output += part.isWholeLine ? try edited(Array(part.bytes)) : Array(part.bytes)
            }
        }
        for start in stride(from: 0, to: stream.count, by: size) {
            lines.receive(stream[start..<min(start + size, stream.count)])
            try readLines()
        }
        lines.end()
        try readLines()
        return output
    }

    private func fields(of address: IPAddress) -> RenderedFields? {
        Self.known[address].flatMap { values in addition.rendered(for: address) { values[$0] } }
    }
}
