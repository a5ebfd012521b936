import ArgumentParser

/// Parses whole numbers in options.
enum WholeNumber {
    /// - Parameter other: the alternative to a number outside the range, such as "use --all".
    /// - Throws: a `ValidationError` with the expected range.
    static func option(_ text: String, in range: ClosedRange<Int64>, orElse other: String = "") throws -> Int64 {
        guard let number = Int64(text), range.contains(number) else {
            let bounds =
                range.upperBound == .max
                ? "of at least \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
            throw ValidationError("expected a whole number \(bounds)" + (other.isEmpty ? "" : ", or \(other)"))
        }
        return number
    }
}
