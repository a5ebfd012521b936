import OrderedCollections

/// A client's change and its progress. The change is added to a single commit, in portions, one per turn.
struct ChangeProgress: Sendable {
    enum Step: Hashable, Sendable {
        /// Checks the addresses from index `next` on for a reason to refuse the change. Nothing changes until all
        /// addresses have been checked.
        case checking(next: Int)
        /// Adds the changes of the addresses from index `next` on to the commit.
        case applying(next: Int)
    }

    let request: Request
    /// The addresses of the request, possibly with duplicates.
    let named: [IPAddress]
    /// When the watches that the change begins end by themselves; nil if they do not.
    private let end: WatchEnd?
    /// The addresses without duplicates, in the order of the request. The set is complete once all addresses have been
    /// checked.
    private(set) var addresses: OrderedSet<IPAddress> = []
    var step = Step.checking(next: 0)
    /// Number of addresses that were not on the watch list when they were checked.
    var added = 0
    /// Number of entries on the watch list whose labels have changed or that have been removed.
    var changed = 0
    /// The ends of the watches that were on the list before the addition.
    private(set) var ends = WatchEndCounts()
    /// The addresses of a removal that stay on the watch list, because a file lists them or a host name has them: at
    /// most `Limits.stayingAddresses`.
    private(set) var staying: [IPAddress] = []
    /// The last `Watch` to which the change was applied, and the result. Most entries of a change have the same labels,
    /// so reusing the result lets them share one copy of the new labels.
    private var last: (old: Watch?, new: Watch?)?

    init(_ request: Request, naming named: [IPAddress], end: WatchEnd? = nil) {
        self.request = request
        self.named = named
        self.end = end
        addresses.reserveCapacity(named.count)
    }

    /// Records an address.
    ///
    /// - Returns: false for an address that was already recorded.
    mutating func note(_ address: IPAddress) -> Bool { addresses.append(address).inserted }

    /// Records an address that a removal leaves on the watch list.
    mutating func noteStaying(_ address: IPAddress) {
        if staying.count < Limits.stayingAddresses { staying.append(address) }
    }

    /// Records how an addition affects the end of a watch.
    mutating func noteEnd(from old: Watch?, to new: Watch) {
        guard isAddition, let old else { return }
        if let end {
            let isLater = new.staysWithoutClient || new.end.map { $0.until > end.until } ?? true
            if isLater { ends.kept += 1 }
        } else if old.end != nil, !old.staysWithoutClient {
            ends.removed += 1
        }
    }

    /// Returns the result of applying the change to a `Watch`; nil if the address is not on the watch list afterwards.
    mutating func watch(from old: Watch?) -> Watch? {
        if let last, last.old.isExactly(old) { return last.new }
        let new: Watch? =
            switch request.body {
            case .add(_, let tags, let note, _):
                old.adding(Watch(byClient: true, end: end, tags: tags, note: note))
            case .label(_, let label): old?.applying(label)
            default: old
            }
        last = (old, new)
        return new
    }

    private var isAddition: Bool {
        if case .add = request.body { true } else { false }
    }

    var isRemoval: Bool {
        if case .remove = request.body { true } else { false }
    }
}
