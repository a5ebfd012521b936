/// An error in a JSON text.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Problem: String, Sendable {
        case unexpectedByte = "unexpected byte"
        case unexpectedEnd = "unexpected end"
        case invalidUTF8 = "not valid UTF-8"
        case invalidNumber = "invalid number"
        /// A control character, an invalid escape or an unpaired surrogate.
        case invalidString = "invalid string"
        case tooDeep = "too many nested levels"
        /// More than `JSONScanner.maxParts`.
        case tooManyValues = "too many values"
    }

    package let problem: Problem
    /// The offset of the problem in bytes, counted from 0.
    package let offset: Int

    package init(problem: Problem, offset: Int) {
        self.problem = problem
        self.offset = offset
    }

    package var description: String { "invalid JSON at offset \(offset): \(problem.rawValue)" }
}
