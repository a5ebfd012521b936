/// A violation of a promise, with the time at which it was found and the details.
package struct Violation: Error, Sendable, CustomStringConvertible {
    /// The promise, in words that are the same in every run.
    package let promise: String
    package let details: String
    let moment: Moment

    package var description: String { "\(moment)  \(promise): \(details)" }
}
