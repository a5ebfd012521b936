/// A key of a row: the value of the first column of the table's primary key.
enum RowKey: Hashable, Comparable {
    case number(Int64)
    case text(String)

    /// Numbers come before texts. Texts are compared by their UTF-8 bytes, as in SQLite's collation BINARY
    /// (sqlite.org/datatype3.html, section 7).
    static func < (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
        case (.number, .text): true
        case (.text, .number): false
        }
    }
}

/// A range of keys that includes its bounds. A bound is nil if the range is open at that end.
struct KeyRange: Hashable {
    var first: RowKey?
    var last: RowKey?

    /// The characters of addresses. Other text keys contain more characters, but their tables have only a few rows.
    private static let characters = "./0123456789:abcdef".map { String($0) }
    /// The number of powers of two that divide a range of numbers without an upper bound.
    private static let powers = 48

    /// Divides the range into smaller ones, which overlap in their bounds; empty if it cannot be divided.
    ///
    /// - Parameter isOfText: whether the keys are texts; otherwise they are numbers, and a missing lower bound is 0.
    func parts(isOfText: Bool) -> [KeyRange] {
        let cuts = isOfText ? textCuts : numberCuts
        guard !cuts.isEmpty else { return [] }
        let bounds = [first] + cuts.map { $0 } + [last]
        return zip(bounds, bounds.dropFirst()).map { KeyRange(first: $0, last: $1) }
    }

    private var numberCuts: [RowKey] {
        var lower: Int64 = 0
        if case .number(let number) = first { lower = number }
        guard case .number(let upper) = last else {
            return (0..<Self.powers).compactMap {
                let (cut, overflow) = lower.addingReportingOverflow(1 << $0)
                return overflow ? nil : .number(cut)
            }
        }
        let (distance, overflow) = upper.subtractingReportingOverflow(lower)
        return overflow || distance < 2 ? [] : [.number(lower + distance / 2)]
    }

    /// The texts between the bounds that consist of a prefix of the lower bound and one more character, for the
    /// shortest prefix that has such texts.
    private var textCuts: [RowKey] {
        var lower: [Character] = []
        if case .text(let text) = first { lower = Array(text) }
        for length in 0...lower.count {
            let prefix = String(lower.prefix(length))
            let cuts = Self.characters.map { RowKey.text(prefix + $0) }
                .filter { cut in first.map { $0 < cut } ?? true && last.map { cut < $0 } ?? true }
            if !cuts.isEmpty { return cuts }
        }
        return []
    }
}
