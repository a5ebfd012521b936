package import RecordKeeping

extension Interface {
    /// What changed in an entry's record at one moment.
    package struct Change: Codable, Hashable, Sendable {
        package var seq: Int64
        package var at: Int64
        package var address: String
        package var fields: [FieldChange]

        /// - Parameter notice: one of kind `changed`.
        package init?(_ notice: Notice) {
            guard notice.kind == .changed, let seq = notice.seq, let address = notice.address else { return nil }
            self.seq = seq
            at = notice.at.milliseconds
            self.address = address.description
            fields = notice.fields.map { FieldChange($0) }
        }
    }

    /// A time during which no record could be had.
    package struct Outage: Codable, Hashable, Sendable {
        package var since: Int64
        /// Nil while it lasts.
        package var until: Int64?
        /// "network": no way to the provider; "provider": a way, and no answer.
        package var cause: String
        package var message: String
        /// How many refreshes could not be made when they were due.
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
