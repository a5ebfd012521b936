/// The entries. Each entry is in a slot; the schedule and the due queues refer to the entry by the index of that slot.
///
/// There may be millions of entries, so they are packed (`PackedSlot`), and values that many entries share are
/// interned.
///
/// The methods that read a part of an entry are always inlined. Otherwise, the compiler would copy this struct, and the
/// `Keeper` that contains it, on each call.
struct Slots: Sendable {
    private var packed: [PackedSlot] = []
    /// The own texts of each entry, by slot index. They are separate so that packed entries hold no references.
    private(set) var ownTexts: [OwnTexts] = []
    private var free: [Int32] = []
    private var addressIndex = AddressIndex()
    var internedValues = InternedValues()
    var cohorts = CohortTable()
    /// The failures and retry times of the few entries that have any, by slot index.
    private var troubles: [Int32: Trouble] = [:]
    /// The omitted fields of the few entries that have any, by slot index.
    private var omissions: [Int32: [FieldChange]] = [:]

    /// The ends of the temporary watches.
    var watchEnds = WatchEnds()

    /// The failure of an entry, and the time of the next attempt.
    private struct Trouble: Sendable {
        var failure: Failure?
        var retryAt: BootTime?
    }

    var count: Int { addressIndex.count }

    /// One more than the largest slot index that was ever in use.
    var bound: Int { packed.count }

    /// The slot indices in use, in ascending order. Iterating checks every slot.
    var inUse: some Sequence<Int> { packed.indices.lazy.filter { packed[$0].isInUse } }

    /// Returns the slot index of an address; nil if it has no slot.
    @inline(__always)
    func index(of address: IPAddress) -> Int? {
        addressIndex.index(of: address) { packed[$0].address }
    }

    @inline(__always)
    func isInUse(_ index: Int) -> Bool {
        index < packed.count && packed[index].isInUse
    }

    // MARK: Whole entries

    /// - Parameter index: must be in use. Reading unpacks the entry, and writing packs it.
    subscript(index: Int) -> Slot {
        get {
            let packed = peek(index)
            return Slot(
                address: packed.address, isSpecialPurpose: packed.isSpecialPurpose, id: packed.id,
                entry: entry(of: index), cohort: packed.cohort, activity: packed.activity,
                consecutiveFailures: packed.consecutiveFailures,
                retryAt: retryAt(of: index),
                category: packed.category)
        }
        set {
            var changed = peek(index)
            changed.id = newValue.id
            changed.set(newValue.entry.watch, &internedValues)
            set(newValue.entry.scan?.answer, of: newValue.cohort, in: &changed)
            setTexts(of: index, to: newValue.entry.scan?.answer.record?.texts)
            changed.changedAt = newValue.entry.changedAt
            changed.activity = newValue.activity
            changed.consecutiveFailures = newValue.consecutiveFailures
            changed.category = newValue.category
            setTrouble(Trouble(failure: newValue.entry.failure, retryAt: newValue.retryAt), of: index, &changed)
            setOmissions(newValue.entry.omissions, of: index)
            watchEnds.set(index, to: newValue.entry.watch?.end)
            packed[index] = changed
        }
    }

    /// Replaces the answer of an entry, without the record's own texts.
    ///
    /// - Parameter cohort: the index of its cohort; ignored if there is no answer.
    private mutating func set(_ answer: Answer?, of cohort: UInt32, in slot: inout PackedSlot) {
        let cohort = answer == nil ? 0 : cohort
        precondition(answer == nil || cohort != 0, "an answer belongs to a cohort")
        slot.set(answer, &internedValues)
        move(&slot, to: cohort)
    }

    private mutating func setTexts(of index: Int, to texts: OwnTexts?) {
        let texts = texts ?? OwnTexts()
        // If the texts are unchanged, the current copy is kept: no other entry shares it.
        if ownTexts[index] != texts { ownTexts[index] = texts }
    }

    /// Moves the answer of an entry to another cohort; 0 stands for none.
    private mutating func move(_ slot: inout PackedSlot, to cohort: UInt32) {
        guard slot.cohort != cohort else { return }
        let old = slot.cohort
        cohorts.hold(cohort)
        slot.cohort = cohort
        releaseCohort(old)
    }

    private mutating func setTrouble(_ trouble: Trouble, of index: Int, _ changed: inout PackedSlot) {
        let isTroubled = trouble.failure != nil || trouble.retryAt != nil
        if isTroubled || changed.isTroubled { troubles[Int32(index)] = isTroubled ? trouble : nil }
        changed.isTroubled = isTroubled
    }

    private mutating func setOmissions(_ fields: [FieldChange], of index: Int) {
        guard !fields.isEmpty || !omissions.isEmpty else { return }
        omissions[Int32(index)] = fields.isEmpty ? nil : fields
    }

    // MARK: Parts of entries

    /// Returns the packed entry. Its properties can be read without unpacking it.
    ///
    /// - Parameter index: must be in use.
    @inline(__always)
    func peek(_ index: Int) -> PackedSlot {
        precondition(packed[index].isInUse, "the slot is not in use")
        return packed[index]
    }

    /// Calls `body` for each slot in use in this range, in ascending order.
    func look(at indices: Range<Int>, _ body: (Int, PackedSlot) -> Void) {
        packed.withUnsafeBufferPointer { packed in
            for index in indices where packed[index].isInUse { body(index, packed[index]) }
        }
    }

    func entry(of index: Int) -> Entry {
        let packed = peek(index)
        let scan = answer(of: index).map { answer in
            let cohort = cohorts[packed.cohort]
            return Scan(
                answer: answer, at: cohort.at, provider: provider(ofCohort: packed.cohort), version: cohort.version)
        }
        return Entry(
            watch: packed.watch(internedValues, end: watchEnds[index]), scan: scan, changedAt: packed.changedAt,
            failure: packed.isTroubled ? troubles[Int32(index)]?.failure : nil,
            omissions: omissions.isEmpty ? [] : omissions[Int32(index)] ?? [])
    }

    /// Returns the provider's last answer; nil before the first one.
    @inline(__always)
    func answer(of index: Int) -> Answer? { peek(index).answer(internedValues, ownTexts[index]) }

    /// The indices of the slots whose entries have omitted fields, in ascending order.
    var withOmissions: [Int] { omissions.keys.sorted().map { Int($0) } }

    /// Returns the cohort of an entry's record, if the entry has one, is resting and has no failure; otherwise nil.
    func restsWithRecord(_ index: Int) -> CohortTable.Row? {
        let slot = packed[index]
        guard slot.isResting, !slot.isTroubled, !slot.isSpecialPurpose, !slot.isEmpty else { return nil }
        return cohort(of: slot)
    }

    /// Returns whether a reply that repeats the entry's answer changes only the time of the answer: the entry has an
    /// answer, no failure, and no omitted fields.
    @inline(__always)
    func isRepeatable(_ index: Int) -> Bool {
        let slot = peek(index)
        return slot.isAnswered && !slot.isTroubled && (omissions.isEmpty || omissions[Int32(index)] == nil)
    }

    /// Returns whether the entry has a failure or a retry time, or has been part of a failed call since its last
    /// success.
    @inline(__always)
    func hasFailed(_ index: Int) -> Bool {
        let slot = peek(index)
        return slot.isTroubled || slot.consecutiveFailures > 0
    }

    mutating func set(_ index: Int, digest: ElementDigest?) {
        packed[index].digest = digest
    }

    /// Returns the cohort of an entry's last answer; nil before the first answer.
    @inline(__always)
    func cohort(of index: Int) -> CohortTable.Row? { cohort(of: peek(index)) }

    @inline(__always)
    private func cohort(of slot: PackedSlot) -> CohortTable.Row? {
        slot.isAnswered ? cohorts[slot.cohort] : nil
    }

    /// Returns the contents of an entry for the fast path.
    ///
    /// - Parameter index: must be a slot whose entry has a record.
    func fresh(_ index: Int, scannedAt: WallTime, expiresAt: WallTime?) -> FreshEntryView {
        let slot = packed[index]
        return slot.fresh(
            internedValues.generations, texts: ownTexts[index], provider: cohorts[slot.cohort].provider,
            scannedAt: scannedAt, expiresAt: expiresAt,
            watchedUntil: slot.isByFile || slot.isByName ? nil : watchEnds[index]?.until)
    }

    func ids(of index: Int) -> InternedIDs {
        let slot = peek(index)
        return slot.ids(
            internedValues.generations, provider: slot.isAnswered ? cohorts[slot.cohort].provider : 0)
    }

    @inline(__always)
    func activity(of index: Int) -> Activity { peek(index).activity }

    @inline(__always)
    func failure(of index: Int) -> Failure? {
        peek(index).isTroubled ? troubles[Int32(index)]?.failure : nil
    }

    @inline(__always)
    func retryAt(of index: Int) -> BootTime? {
        peek(index).isTroubled ? troubles[Int32(index)]?.retryAt : nil
    }

    mutating func set(_ index: Int, activity: Activity, category: Tally.Category) {
        precondition(packed[index].isInUse, "the slot is not in use")
        packed[index].activity = activity
        packed[index].category = category
    }

    mutating func set(_ index: Int, category: Tally.Category) {
        precondition(packed[index].isInUse, "the slot is not in use")
        packed[index].category = category
    }

    /// Increases the number of failed calls that an entry was part of, up to `DueQueues.maxFailures`.
    mutating func addFailures(_ count: UInt8, to index: Int) {
        precondition(packed[index].isInUse, "the slot is not in use")
        packed[index].consecutiveFailures = min(packed[index].consecutiveFailures + count, DueQueues.maxFailures)
    }

    /// Moves the answer of an entry to another cohort.
    mutating func setCohort(of index: Int, to cohort: UInt32) {
        let old = packed[index].cohort
        precondition(packed[index].isInUse && packed[index].isAnswered, "the entry has an answer")
        guard old != cohort else { return }
        cohorts.hold(cohort)
        packed[index].cohort = cohort
        releaseCohort(old)
    }

    // MARK: Inserting and removing

    /// Inserts an entry.
    ///
    /// - Parameters:
    ///   - address: must not have a slot.
    ///   - id: its id in the store; nil if it is not stored.
    ///   - cohort: the index of the cohort to which its answer belongs; 0 if it has none.
    /// - Returns: the slot index, which another entry may have had before.
    mutating func insert(_ address: IPAddress, _ entry: Entry, id: EntryID? = nil, cohort: UInt32 = 0) -> Int {
        var slot = PackedSlot(address: address, isSpecialPurpose: SpecialPurpose(holding: address) != nil)
        slot.id = id
        slot.set(entry.watch, &internedValues)
        set(entry.scan?.answer, of: cohort, in: &slot)
        slot.changedAt = entry.changedAt
        let index = free.popLast().map { Int($0) } ?? packed.count
        if let failure = entry.failure { setTrouble(Trouble(failure: failure), of: index, &slot) }
        setOmissions(entry.omissions, of: index)
        watchEnds.set(index, to: entry.watch?.end)
        if index == packed.count {
            packed.append(slot)
            ownTexts.append(OwnTexts())
        } else {
            packed[index] = slot
        }
        setTexts(of: index, to: entry.scan?.answer.record?.texts)
        addressIndex.insert(index) { packed[$0].address }
        return index
    }

    /// Removes an entry. Its slot index may be used again.
    mutating func remove(_ index: Int) {
        addressIndex.remove(index) { packed[$0].address }
        self[index].entry = Entry()
        troubles[Int32(index)] = nil
        packed[index] = PackedSlot.unused
        free.append(Int32(index))
    }

    mutating func reserveCapacity(_ count: Int) {
        packed.reserveCapacity(count)
        ownTexts.reserveCapacity(count)
        addressIndex.reserveCapacity(count) { packed[$0].address }
    }
}
