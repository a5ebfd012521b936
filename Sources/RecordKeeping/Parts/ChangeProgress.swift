/// A client's change that is being drafted, one portion per turn, in one commit, and its progress.
struct ChangeProgress: Sendable {
    enum Step: Hashable, Sendable {
        /// Checks the addresses from this one on for a reason to refuse the change. Nothing changes before all have
        /// been checked.
        case checking(next: Int)
        /// Drafts the changes of the addresses from this one on.
        case applying(next: Int)
    }

    let request: Request
    /// The addresses as they are in the request.
    let named: [IPAddress]
    /// The addresses without duplicates, in the order of the request; complete when all have been checked.
    private(set) var addresses: [IPAddress] = []
    private var seen: Set<IPAddress>
    var step = Step.checking(next: 0)
    /// Addresses that were not on the watch list when they were checked.
    var added = 0
    /// Entries that were on the watch list and have changed or left it.
    var changed = 0
    /// The last `Watch` that the change was applied to, and the result. Most entries of a change have the same labels,
    /// and so share one copy of the new ones.
    private var last: (old: Watch?, new: Watch?)?

    init(_ request: Request, naming named: [IPAddress]) {
        self.request = request
        self.named = named
        seen = Set(minimumCapacity: named.count)
        addresses.reserveCapacity(named.count)
    }

    /// Records an address.
    ///
    /// - Returns: false for an address that was already recorded.
    mutating func note(_ address: IPAddress) -> Bool {
        guard seen.insert(address).inserted else { return false }
        addresses.append(address)
        return true
    }

    /// Returns the result of applying the change to a `Watch`; nil if the address is not on the watch list after it.
    mutating func watch(from old: Watch?) -> Watch? {
        if let last, last.old == old { return last.new }
        let new: Watch? =
            switch request.body {
            case .add(_, let tags, let note): old.adding(Watch(byClient: true, tags: tags, note: note))
            case .label(_, let label): old?.applying(label)
            default: old
            }
        last = (old, new)
        return new
    }

    var isRemoval: Bool {
        if case .remove = request.body { true } else { false }
    }

    /// Ends the checks.
    mutating func beginApplying() {
        seen = []
        step = .applying(next: 0)
    }
}
