package import RecordKeeping

extension Interface {
    /// An address with its state, labels, record and failure. Times are Unix times in milliseconds.
    package struct Entry: Codable, Hashable, Sendable {
        package var address: String
        /// The raw value of an `EntryState`; a string, so that clients accept states that a newer daemon adds.
        package var state: String
        package var watched: Bool
        /// The raw value of a `WatchOrigin`; nil if the address is not watched.
        package var origin: String?
        package var pinned: Bool
        package var tags: [String]
        package var note: String?
        package var watchedUntil: Int64?
        package var record: Record?
        package var provider: String?
        package var scannedAt: Int64?
        package var expiresAt: Int64?
        package var changedAt: Int64?
        package var reason: String?
        package var failure: Failure?
        package var offline: OfflineRecord?

        /// - Parameter offline: the record from local databases, for an entry without a fresh record.
        package init(_ view: EntryView, offline: OfflineRecord? = nil) {
            let watch = view.entry.watch
            let scan = view.entry.scan
            address = view.address.description
            state = view.state.rawValue
            watched = watch != nil
            origin = watch?.origin.rawValue
            pinned = watch?.isPinned ?? false
            tags = watch?.tags ?? []
            note = watch?.note
            watchedUntil = watch?.listedUntil?.milliseconds
            record = scan?.answer.record
            provider = scan?.provider
            scannedAt = scan?.at.wall.milliseconds
            expiresAt = view.expiresAt?.milliseconds
            changedAt = view.entry.changedAt?.milliseconds
            reason = view.reason
            failure = view.failure.map { Failure($0, nextAttemptAt: view.nextAttemptAt) }
            self.offline = offline
        }
    }

    /// The reason why there is no fresh record. Times are Unix times in milliseconds.
    package struct Failure: Codable, Hashable, Sendable {
        package var kind: String
        package var message: String
        package var at: Int64
        package var attempts: Int
        package var nextAttemptAt: Int64?

        init(_ failure: RecordKeeping.Failure, nextAttemptAt: WallTime?) {
            kind = failure.kind.rawValue
            message = failure.message
            at = failure.at.wall.milliseconds
            attempts = failure.attempts
            self.nextAttemptAt = nextAttemptAt?.milliseconds
        }
    }
}
