/// The entries, each in a numbered place, so that heaps and calls can name them by a small number.
///
/// There are millions of them, so they are kept packed (`PackedSlot`), and what many have in common is kept once.
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

    private var packed: [PackedSlot] = []
    private var free: [Int32] = []
    private var index = AddressIndex()
    private(set) var common = CommonParts()
    /// What is the matter with the few with which something is.
    private var troubles: [Int32: Trouble] = [:]

    /// Why an entry has nothing newer, and until when.
    private struct Trouble: Sendable {
        var failure: Failure?
        var retryAt: BootTime?
    }

    var count: Int { index.count }

    /// Above all numbers that are in use.
    var bound: Int { packed.count }

    /// All numbers in use, in ascending order.
    var inUse: some Sequence<Int> { packed.indices.lazy.filter { packed[$0].isInUse } }

    func number(of address: IPAddress) -> Int? {
        index.number(of: address) { packed[$0].address }
    }

    func isInUse(_ number: Int) -> Bool {
        number < packed.count && packed[number].isInUse
    }

    // MARK: As a whole

    /// - Parameter number: one in use.
    subscript(number: Int) -> Slot {
        get {
            let packed = usedSlot(number)
            return Slot(
                address: packed.address, isSpecialPurpose: packed.isSpecialPurpose, entry: entry(of: number),
                activity: packed.activity, strikes: packed.strikes, retryAt: retryAt(of: number),
                category: packed.category)
        }
        set {
            var changed = usedSlot(number)
            changed.set(newValue.entry.watch, &common)
            changed.set(newValue.entry.scan, &common)
            changed.changedAt = newValue.entry.changedAt
            changed.activity = newValue.activity
            changed.strikes = newValue.strikes
            changed.category = newValue.category
            setTrouble(Trouble(failure: newValue.entry.failure, retryAt: newValue.retryAt), of: number, &changed)
            packed[number] = changed
        }
    }

    private mutating func setTrouble(_ trouble: Trouble, of number: Int, _ changed: inout PackedSlot) {
        let isTroubled = trouble.failure != nil || trouble.retryAt != nil
        if isTroubled || changed.isTroubled { troubles[Int32(number)] = isTroubled ? trouble : nil }
        changed.isTroubled = isTroubled
    }

    private func usedSlot(_ number: Int) -> PackedSlot {
        precondition(packed[number].isInUse, "a slot that is empty was named")
        return packed[number]
    }

    // MARK: In part

    /// The entry as it is kept. What follows from it is looked at without taking it apart.
    func peek(_ number: Int) -> PackedSlot { usedSlot(number) }

    /// All entries with these numbers, without a copy of any.
    func look(at numbers: Range<Int>, _ body: (Int, PackedSlot) -> Void) {
        packed.withUnsafeBufferPointer { packed in
            for number in numbers where packed[number].isInUse { body(number, packed[number]) }
        }
    }

    func entry(of number: Int) -> Entry {
        let packed = usedSlot(number)
        return Entry(
            watch: packed.watch(common), scan: packed.scan(common), changedAt: packed.changedAt,
            failure: packed.isTroubled ? troubles[Int32(number)]?.failure : nil)
    }

    /// When the record of an entry was asked for that has one, and with which nothing is going on and nothing the matter.
    func restsWithRecord(_ number: Int) -> Instant? {
        let slot = packed[number]
        guard slot.isResting, !slot.isTroubled, !slot.isSpecialPurpose, !slot.isEmpty else { return nil }
        return slot.scanAt
    }

    /// - Parameter number: of an entry with a record.
    func fresh(_ number: Int, scannedAt: WallTime, expiresAt: WallTime) -> FreshEntry {
        packed[number].fresh(common.editions, scannedAt: scannedAt, expiresAt: expiresAt)
    }

    func address(of number: Int) -> IPAddress { usedSlot(number).address }

    func activity(of number: Int) -> Activity { usedSlot(number).activity }

    func strikes(of number: Int) -> UInt8 { usedSlot(number).strikes }

    func isWatched(_ number: Int) -> Bool { usedSlot(number).isWatched }

    func failure(of number: Int) -> Failure? {
        usedSlot(number).isTroubled ? troubles[Int32(number)]?.failure : nil
    }

    func retryAt(of number: Int) -> BootTime? {
        usedSlot(number).isTroubled ? troubles[Int32(number)]?.retryAt : nil
    }

    mutating func set(_ number: Int, activity: Activity, category: Tally.Category) {
        precondition(packed[number].isInUse, "a slot that is empty was named")
        packed[number].activity = activity
        packed[number].category = category
    }

    mutating func set(_ number: Int, category: Tally.Category) {
        precondition(packed[number].isInUse, "a slot that is empty was named")
        packed[number].category = category
    }

    mutating func addStrike(_ number: Int, atMost most: UInt8) {
        precondition(packed[number].isInUse, "a slot that is empty was named")
        packed[number].strikes = min(packed[number].strikes + 1, most)
    }

    // MARK: Coming and going

    /// - Parameter address: one that has no slot yet.
    mutating func insert(_ address: IPAddress, _ entry: Entry) -> Int {
        var slot = PackedSlot(address: address, isSpecialPurpose: SpecialPurpose(holding: address) != nil)
        slot.set(entry.watch, &common)
        slot.set(entry.scan, &common)
        slot.changedAt = entry.changedAt
        let number = free.popLast().map { Int($0) } ?? packed.count
        if let failure = entry.failure { setTrouble(Trouble(failure: failure), of: number, &slot) }
        if number == packed.count { packed.append(slot) } else { packed[number] = slot }
        index.insert(number) { packed[$0].address }
        return number
    }

    mutating func remove(_ number: Int) {
        index.remove(number) { packed[$0].address }
        self[number].entry = Entry()
        troubles[Int32(number)] = nil
        packed[number] = PackedSlot.unused
        free.append(Int32(number))
    }

    mutating func reserveCapacity(_ count: Int) {
        packed.reserveCapacity(count)
        index.reserveCapacity(count) { packed[$0].address }
    }
}

/// What many entries have in common.
package struct CommonParts: Sendable {
    package internal(set) var places = Pool<Shared<Place>>()
    package internal(set) var networks = Pool<Shared<Network>>()
    package internal(set) var labels = Pool<Shared<WatchLabel>>()
    /// Names of providers, and what they say of addresses that they have no record of.
    package internal(set) var texts = Pool<String>()

    /// What numbers stand for now.
    struct Editions {
        let places: Int
        let networks: Int
        let labels: Int
        let texts: Int
    }

    var editions: Editions {
        Editions(places: places.edition, networks: networks.edition, labels: labels.edition, texts: texts.edition)
    }
}
