/// A promise that was broken, with when and how.
package struct Violation: Error, Sendable, CustomStringConvertible {
    /// Which of the promises, in a word that stays the same from run to run.
    package let promise: String
    package let details: String
    let moment: Moment

    package var description: String { "\(moment)  \(promise): \(details)" }
}
