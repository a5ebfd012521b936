/// A violation of a promise, with the time at which it was found and the details.
package struct Violation: Error, Sendable, CustomStringConvertible {
    /// The promise, in words that are the same in every run.
    package let promise: String
    package let details: String
    package let moment: Moment

    package init(promise: String, details: String, moment: Moment) {
        (self.promise, self.details, self.moment) = (promise, details, moment)
    }

    package var description: String { "\(moment)  \(promise): \(details)" }
}
