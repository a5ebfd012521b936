package import RecordKeeping

extension Interface {
    /// The fields of a record that one refresh changed.
    package struct Change: Codable, Hashable, Sendable {
        package var seq: Int64
        package var at: Int64
        package var address: String
        package var fields: [FieldChange]

        /// Returns nil unless the event is of kind `changed`.
        package init?(_ event: PublishedEvent) {
            guard event.kind == .changed, let seq = event.seq, let address = event.address else { return nil }
            self.seq = seq
            at = event.at.milliseconds
            self.address = address.description
            fields = event.fields.map { FieldChange($0) }
        }
    }

    /// A period without new records. Times are Unix times in milliseconds.
    package struct Outage: Codable, Hashable, Sendable {
        package var since: Int64
        /// Nil while the outage lasts.
        package var until: Int64?
        /// "network" if there was no route to the provider, "provider" if there was no valid reply.
        package var cause: String
        package var message: String
        /// The number of refreshes that were due but could not be made.
        package var deferred: Int

        package init(_ outage: RecordKeeping.Outage) {
            self.init(
                since: outage.since.milliseconds, until: outage.until?.milliseconds, cause: outage.cause.rawValue,
                message: outage.message, deferred: outage.deferred)
        }

        package init(since: Int64, until: Int64?, cause: String, message: String, deferred: Int) {
            self.since = since
            self.until = until
            self.cause = cause
            self.message = message
            self.deferred = deferred
        }
    }
}
