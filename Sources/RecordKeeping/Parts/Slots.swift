/// The entries, each in a numbered place, so that heaps and calls can name them by a small number.
struct Slots: Sendable {
    /// An entry and what is going on with it.
    struct Slot: Sendable {
        let address: IPAddress
        /// Nobody's on the public internet: no call is ever made for it.
        let isSpecialPurpose: Bool
        var entry: Entry
        var activity: Activity
        /// Calls in a row that failed as a whole with this address in them, while the provider was well otherwise.
        var strikes: UInt8 = 0
        /// When the next try is, while the address itself is at fault.
        var retryAt: BootTime?
        /// What the tally counts this as.
        var category = Tally.Category.unknown
    }

    /// Where an entry is on its way from one record to the next.
    enum Activity: Hashable, Sendable {
        /// Waiting for its deadline in the schedule, or for nothing (a special-purpose address).
        case resting
        /// Past its deadline, since then; in one of the queues. Left when a call takes it.
        case due(since: BootTime)
        /// In a call, and not answered yet. The call counts against the quota until its reply says otherwise.
        /// Left by `.replied` or `.callFailed`; a restart returns it to due.
        case asked(Call.ID)
        /// Answered, and the answer is not on disk yet. Left by `.committed`.
        case settling
    }

    private var slots: [Slot?] = []
    private var free: [Int] = []
    private var numbers: [IPAddress: Int] = [:]

    var count: Int { numbers.count }

    /// All numbers in use, in ascending order.
    var inUse: some Sequence<Int> { slots.indices.lazy.filter { slots[$0] != nil } }

    func number(of address: IPAddress) -> Int? {
        numbers[address]
    }

    /// - Parameter number: one in use.
    subscript(number: Int) -> Slot {
        get {
            guard let slot = slots[number] else { preconditionFailure("slot \(number) is empty") }
            return slot
        }
        set { slots[number] = newValue }
    }

    func isInUse(_ number: Int) -> Bool {
        number < slots.count && slots[number] != nil
    }

    /// - Parameter address: one that has no slot yet.
    mutating func insert(_ address: IPAddress, _ entry: Entry) -> Int {
        let slot = Slot(
            address: address, isSpecialPurpose: SpecialPurpose(holding: address) != nil, entry: entry,
            activity: .resting)
        let number = free.popLast() ?? slots.count
        if number == slots.count { slots.append(slot) } else { slots[number] = slot }
        numbers[address] = number
        return number
    }

    mutating func remove(_ number: Int) {
        numbers[self[number].address] = nil
        slots[number] = nil
        free.append(number)
    }

    mutating func reserveCapacity(_ count: Int) {
        slots.reserveCapacity(count)
        numbers.reserveCapacity(count)
    }
}
