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
    /// The kinds of keys, each of which is divided in its own way.
    enum Kind {
        /// Numbers; a missing lower bound is 0.
        case number
        /// IP addresses.
        case address
        /// Other texts, such as host names.
        case text
    }

    var first: RowKey?
    var last: RowKey?

    /// The characters of addresses.
    private static let characters = "./0123456789:abcdef".map { String($0) }
    /// The number of powers of two that divide a range of numbers without an upper bound.
    private static let powers = 48

    /// Divides the range into smaller ones, which overlap in their bounds; empty if it cannot be divided.
    func parts(of kind: Kind) -> [KeyRange] {
        let cuts =
            switch kind {
            case .number: numberCuts
            case .address: addressCuts
            case .text: textCuts
            }
        guard !cuts.isEmpty else { return [] }
        let bounds = [first] + cuts.map { $0 } + [last]
        return zip(bounds, bounds.dropFirst()).map { KeyRange(first: $0, last: $1) }
    }

    /// Returns whether a key is in the range and is not one of its bounds.
    private func isDivided(at key: RowKey) -> Bool {
        first.map { $0 < key } ?? true && last.map { key < $0 } ?? true
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
    private var addressCuts: [RowKey] {
        var lower: [Character] = []
        if case .text(let text) = first { lower = Array(text) }
        for length in 0...lower.count {
            let prefix = String(lower.prefix(length))
            let cuts = Self.characters.map { RowKey.text(prefix + $0) }.filter(isDivided)
            if !cuts.isEmpty { return cuts }
        }
        return []
    }

    /// A text near the middle of the range: the bytes that the bounds have in common, and as few of the following
    /// digits of the mean of the bounds as possible.
    private var textCuts: [RowKey] {
        func bytes(_ key: RowKey?) -> [UInt8] { if case .text(let text) = key { Array(text.utf8) } else { [] } }
        let (lower, upper) = (bytes(first), bytes(last))
        let common = last == nil ? 0 : zip(lower, upper).prefix { $0 == $1 }.count
        let least = Self.number(of: lower.dropFirst(common))
        let greatest =
            last == nil ? Self.number(of: [Self.digits.upperBound]) : Self.number(of: upper.dropFirst(common))
        guard least < greatest else { return [] }
        let mean = Self.bytes(of: least + (greatest - least) / 2)
        return (1...Self.digitCount).lazy.map { length in
            RowKey.text(String(decoding: lower.prefix(common) + mean.prefix(length), as: UTF8.self))
        }
        .first(where: isDivided).map { [$0] } ?? []
    }

    /// The bytes that count as the digits 1, 2 and so on; the digit 0 is the end of the text. Other bytes count as the
    /// nearest digit: they are rare.
    private static let digits: ClosedRange<UInt8> = 0x20...0x7E
    private static let base = Int64(digits.count) + 1
    /// The number of digits of a mean: the greatest number is below 2^53.
    private static let digitCount = 8

    private static func number(of text: some Collection<UInt8>) -> Int64 {
        var (number, rest): (Int64, ArraySlice<UInt8>) = (0, Array(text.prefix(digitCount))[...])
        for _ in 0..<digitCount {
            let byte = rest.popFirst().map { min(max($0, digits.lowerBound), digits.upperBound) }
            number = number * base + (byte.map { Int64($0 - digits.lowerBound) + 1 } ?? 0)
        }
        return number
    }

    /// Returns the text of a number, up to its first digit 0.
    private static func bytes(of number: Int64) -> [UInt8] {
        var (digits, rest): ([Int64], Int64) = ([], number)
        for _ in 0..<digitCount {
            digits.append(rest % base)
            rest /= base
        }
        return digits.reversed().prefix { $0 > 0 }.map { UInt8($0 - 1) + Self.digits.lowerBound }
    }
}
