/// A period without new records.
package struct Outage: Hashable, Sendable {
    package enum Cause: String, CaseIterable, Hashable, Sendable {
        /// There was no route to the provider.
        case network
        /// There was a route, but no valid reply.
        case provider
    }

    /// The number of the outage, counted from 1 over the lifetime of the database.
    package var number: Int64
    package var since: WallTime
    /// The end of the outage; nil while the outage lasts.
    package var until: WallTime?
    package var cause: Cause
    package var message: String
    /// Number of refreshes that were due during the outage and could not be made.
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
