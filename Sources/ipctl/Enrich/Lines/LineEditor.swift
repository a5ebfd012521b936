import RecordKeeping

/// Adds the fields of known addresses to lines.
///
/// A line is scanned first, and written when the fields of its addresses are available:
///
///     try editor.scan(line, into: &scanned)
///     editor.write(line, scanned, fields: { known[$0] }, to: &output)
///
/// All bytes of a line are kept in their order. A line in which nothing is known is written unchanged, except that a
/// row of CSV gets empty columns.
struct LineEditor {
    /// The name of the member that is added to JSON, and the first part of the names of CSV columns.
    static let memberName = "iprecord"

    let addition: FieldAddition
    /// Only for CSV: the columns that are enriched. If it is empty, the first known address of a row is.
    let columns: [String]
    private var awaitsHeader: Bool
    /// The indices of `columns`.
    private(set) var columnIndices: [Int] = []
    private var json = JSONLine()

    /// - Parameters:
    ///   - columns: only for CSV with a header: the names of the columns to enrich.
    ///   - hasHeader: only for CSV: whether the first row has the names of the columns.
    init(_ addition: FieldAddition, columns: [String] = [], hasHeader: Bool = true) {
        (self.addition, self.columns) = (addition, columns)
        awaitsHeader = addition.format == .csv && hasHeader
    }

    /// Finds the addresses in a line.
    ///
    /// - Parameters:
    ///   - line: a line with its line break; for CSV, a row.
    ///   - scanned: the result; its memory is reused.
    /// - Throws: a `LineError` if the header of a CSV file does not have one of the columns.
    mutating func scan(_ line: UnsafeBufferPointer<UInt8>, into scanned: inout ScannedLine) throws(LineError) {
        let content = UnsafeBufferPointer(rebasing: line[..<Self.contentEnd(of: line)])
        scanned.kind = content.isEmpty ? .unchanged : .editable(end: content.count)
        if awaitsHeader, !content.isEmpty {
            awaitsHeader = false
            try readHeader(content)
            scanned.kind = .header(end: content.count)
            return scanned.found.removeAll(keepingCapacity: true)
        }
        guard addition.format == .json else {
            AddressFinder.find(in: content, into: &scanned.found)
            return keepColumns(of: content, &scanned.found)
        }
        json.read(content, member: Self.memberBytes)
        guard let end = json.end else {
            scanned.kind = .unchanged
            return scanned.found.removeAll(keepingCapacity: true)
        }
        scanned.kind = .editable(end: end)
        if let plain = json.plain {
            plain.withUnsafeBufferPointer { AddressFinder.find(in: $0, into: &scanned.found) }
        } else {
            AddressFinder.find(in: content, into: &scanned.found)
        }
        keepStrings(&scanned.found)
    }

    private static let memberBytes = Array(memberName.utf8)

    /// Removes the addresses that are not in strings, which valid JSON does not have.
    private func keepStrings(_ found: inout [FoundAddress]) {
        var index = 0
        found.removeAll { one in
            while index < json.strings.count, json.strings[index].upperBound < one.extent.upperBound { index += 1 }
            return index == json.strings.count || json.strings[index].lowerBound > one.extent.lowerBound
        }
    }

    /// Removes the addresses in columns of CSV that are not enriched, so that they are not looked up either.
    private func keepColumns(of row: UnsafeBufferPointer<UInt8>, _ found: inout [FoundAddress]) {
        guard !columnIndices.isEmpty, !found.isEmpty else { return }
        let ranges = CSVPosition.fields(of: row)
        found.removeAll { one in
            !columnIndices.contains { ranges.indices.contains($0) && ranges[$0].contains(one.range.lowerBound) }
        }
    }

    private mutating func readHeader(_ row: UnsafeBufferPointer<UInt8>) throws(LineError) {
        guard !columns.isEmpty else { return }
        var bytes = Array(row)[...]
        if bytes.starts(with: InputFile.byteOrderMark) { bytes = bytes.dropFirst(InputFile.byteOrderMark.count) }
        let names = try CSVRow(reading: bytes).fields
        for column in columns {
            guard let index = names.firstIndex(of: column) else {
                throw LineError("no column \(LineError.quoted(column)) in the header")
            }
            columnIndices.append(index)
        }
    }

    /// Returns the length of a line without its line break, which is a line feed or a carriage return and a line feed.
    private static func contentEnd(of line: UnsafeBufferPointer<UInt8>) -> Int {
        guard line.last == UInt8(ascii: "\n") else { return line.count }
        return line.dropLast().last == UInt8(ascii: "\r") ? line.count - 2 : line.count - 1
    }
}

/// The addresses in a line, and the place at which their fields are added.
struct ScannedLine: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        /// A line to which fields can be added at the index `end`, after all addresses.
        case editable(end: Int)
        /// The header of a CSV file, which ends at this index.
        case header(end: Int)
        /// A line that is written as it is.
        case unchanged
    }

    var kind = Kind.unchanged
    /// The addresses in the order of their positions in the line.
    var found: [FoundAddress] = []
}
