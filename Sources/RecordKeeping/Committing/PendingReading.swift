import DequeModule

/// A reload that is waiting, being applied or being previewed, with its progress.
struct PendingReading: Sendable {
    /// The next step.
    enum Step: Hashable, Sendable {
        /// Decides whether the reload is refused.
        case judging
        /// Adds the addresses of the next portion to the watch list.
        case adding
        /// Removes from the watch list the addresses that are not in any list, starting at this slot.
        case removing(nextSlot: Int)
        /// All changes of the reload are in a commit.
        case done
    }

    let id: Int
    let isComplete: Bool
    private(set) var isForced: Bool
    let addresses: Set<IPAddress>
    let hasFileEntries: Bool
    let problems: [String]
    /// The requests that wait for the reload to complete.
    var requests: [Request.ID]
    /// Lines that are not in a commit yet.
    private var portions: Deque<[ListedAddress]>
    var step = Step.judging
    /// Number of addresses added to the watch list so far.
    private(set) var added = 0
    /// Number of watched addresses whose labels or sources have changed so far.
    private(set) var changed = 0
    /// Number of addresses removed from the watch list so far.
    private(set) var removed = 0
    /// The addresses that would change; nil unless the reload is only previewed.
    private(set) var preview: ReloadPreview?
    /// The bytes that are left for the differences in the preview.
    private var previewBytesLeft = Limits.previewedBytes

    init(_ reading: ListReading, id: Int) {
        self.id = id
        isComplete = reading.isComplete
        isForced = reading.isForced
        addresses = reading.addresses
        hasFileEntries = reading.hasFileEntries
        problems = reading.problems
        requests = reading.request.map { [$0] } ?? []
        preview =
            reading.isPreview
            ? ReloadPreview(problems: Array(reading.problems.prefix(Limits.previewedProblems))) : nil
        portions = Deque(reading.portions)
    }

    /// Replaces an older reload of which nothing has been applied.
    ///
    /// This reload began after the requests of the older reload, so it answers them. It becomes forced if the older
    /// reload was forced and found no address in the files.
    mutating func replace(_ older: PendingReading) {
        requests = older.requests + requests
        if older.isForced, older.isComplete, !older.hasFileEntries { isForced = true }
    }

    /// Removes and returns the next portion of lines; nil if there is none left.
    mutating func nextPortion() -> [ListedAddress]? { portions.popFirst() }

    // MARK: Counting

    mutating func noteAdded(_ address: IPAddress) {
        added += 1
        if added <= Limits.previewedAddresses { preview?.added.append(address) }
    }

    mutating func noteChanged(_ address: IPAddress, from old: Watch, to new: Watch) {
        changed += 1
        guard preview != nil, changed <= Limits.previewedAddresses else { return }
        preview?.changed.append(address)
        guard previewBytesLeft > 0 else { return }
        let change = WatchChange(address: address, from: old, to: new)
        previewBytesLeft -= change.valueBytes
        // The differences end with the first ones that do not fit.
        if previewBytesLeft >= 0 { preview?.changes.append(change) }
    }

    mutating func noteRemoved(_ address: IPAddress) {
        removed += 1
        if removed <= Limits.previewedAddresses { preview?.removed.append(address) }
    }
}
