import ArgumentParser

/// A whole number as an option says it.
enum WholeNumber {
    /// - Parameter other: what may be given in place of a number beyond the range.
    /// - Throws: a `ValidationError` that says what would be right, as the parsing of the command line does.
    static func option(_ text: String, in range: ClosedRange<Int64>, orElse other: String = "") throws -> Int64 {
        guard let number = Int64(text), range.contains(number) else {
            let bounds =
                range.upperBound == .max
                ? "from \(range.lowerBound) on" : "from \(range.lowerBound) to \(range.upperBound)"
            throw ValidationError("a whole number \(bounds) would be right" + (other.isEmpty ? "" : ", or \(other)"))
        }
        return number
    }
}
