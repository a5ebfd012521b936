/// A time during which no record could be had.
package struct Outage: Hashable, Sendable {
    package enum Cause: String, CaseIterable, Hashable, Sendable {
        /// No way to the provider.
        case network
        /// A way, and no answer.
        case provider
    }

    /// Counted up from 1 over the life of the database.
    package var number: Int64
    package var since: WallTime
    /// Nil while it lasts.
    package var until: WallTime?
    package var cause: Cause
    package var message: String
    /// How many refreshes were due in it, and could not be made.
    package var deferred: Int

    package init(
        number: Int64, since: WallTime, until: WallTime? = nil, cause: Cause, message: String, deferred: Int
    ) {
        self.number = number
        self.since = since
        self.until = until
        self.cause = cause
        self.message = message
        self.deferred = deferred
    }
}
