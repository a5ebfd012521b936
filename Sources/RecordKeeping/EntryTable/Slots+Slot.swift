extension Slots {
    /// An unpacked entry with its activity.
    struct Slot: Sendable {
        let address: IPAddress
        /// Whether the address is in a special-purpose block. No call is ever made for it.
        let isSpecialPurpose: Bool
        /// The id of the entry in the store; nil if it is not stored.
        var id: EntryID?
        var entry: Entry
        /// The index in `CohortTable` of the cohort to which the answer in `entry` belongs, which determines its time
        /// and provider; 0 if there is no answer.
        var cohort: UInt32
        var activity: Activity
        /// Number of consecutive calls with this address that failed as a whole while the provider was otherwise
        /// healthy.
        var consecutiveFailures: UInt8 = 0
        /// The time of the next attempt, if the last one failed because of the address itself.
        var retryAt: BootTime?
        /// The category in which the tally counts the entry.
        var category = Tally.Category.unknown
    }

    /// The stage of an entry between two records.
    enum Activity: Hashable, Sendable {
        /// The entry waits for its deadline in the schedule. A special-purpose address has no deadline.
        case resting
        /// The entry has been past its deadline since this time, and is in one of the queues until a call includes it.
        case due(since: BootTime)
        /// The entry is in a call that has no reply yet. The call counts against the quota until its reply shows
        /// otherwise. `.replied` or `.callFailed` ends this stage; after a restart, the entry is due again.
        case asked(Call.ID)
        /// The result of a call, or the removal of an expired lookup, is not on disk yet. `.committed` ends this stage.
        case committing
    }
}
