/// Replies to `Count` requests.
///
/// Entries are counted in memory order, and in turns, so that other clients are served in between.
extension Keeper {
    /// The progress of a `Count` request.
    struct Counting: Sendable {
        let query: CountQuery
        var matcher: EntryMatcher
        /// The slot from which to continue.
        var next = 0
        var total = 0
        var groups = GroupTable()
        /// The groups of the interned parts of records so far.
        var results: RecordResults<Int32>

        init(_ query: CountQuery) {
            self.query = query
            results = RecordResults(of: query.key.recordPart)
            matcher = EntryMatcher(query.filter.map { [$0] } ?? [])
        }
    }

    /// Begins to answer a `Count` request.
    mutating func count(_ query: CountQuery, for request: Request.ID, at now: Instant) {
        countings[request] = Counting(query)
        goOnCounting(request, at: now)
    }

    /// Continues a count for one turn.
    mutating func goOnCounting(_ request: Request.ID, at now: Instant) {
        guard var counting = countings.removeValue(forKey: request) else { return }
        let end = min(counting.next + Limits.entriesPerCount, slots.bound)
        count(counting.next..<end, in: &counting, at: now)
        counting.next = end
        let others = countings.values.reduce(0) { $0 + $1.groups.count }
        guard counting.groups.count <= Limits.groups, counting.groups.count + others <= Limits.groupsOfAllCounts else {
            return emit(.answer(request, .refused(.tooMany(limit: Limits.groups, .groups))))
        }
        guard end == slots.bound else {
            countings[request] = counting
            return emit(.resume(request))
        }
        let (groups, rest) = counting.groups.largest(counting.query.limit)
        emit(.answer(request, .counts(GroupCounts(groups: groups, total: counting.total, others: rest))))
    }

    private func count(_ indices: Range<Int>, in counting: inout Counting, at now: Instant) {
        let (key, text, values) = (counting.query.key, counting.query.key.recordText, slots.internedValues)
        let states = counting.matcher.states
        slots.look(at: indices) { index, slot in
            guard slot.isWatched else { return }
            if let states, !states.contains(state(of: index, at: now)) { return }
            guard counting.matcher.matches(slot, values) else { return }
            counting.total += 1
            switch key {
            case .state: counting.groups.addEntry(to: state(of: index, at: now).rawValue)
            case .origin: counting.groups.addEntry(to: slot.isByClient ? "client" : "file")
            case .tag:
                let tags = values.labels[slot.label]?.value.tags ?? []
                for tag in tags.isEmpty ? [""] : tags { counting.groups.addEntry(to: tag) }
            case .field, .place:
                counting.groups.addEntry(slot, values, example: key == .place ? slot : nil, &counting.results, text)
            }
        }
    }
}

extension GroupTable {
    fileprivate mutating func addEntry(to key: String) {
        addEntry(to: index(of: key))
    }

    /// Adds an entry to the group that its record determines.
    fileprivate mutating func addEntry(
        _ slot: PackedSlot, _ values: InternedValues, example: PackedSlot?, _ results: inout RecordResults<Int32>,
        _ text: (Record?) -> String
    ) {
        addEntry(to: results.of(slot, values) { index(of: text($0), like: example) })
    }
}

extension CountKey {
    /// The part of a record that determines the group of an entry, if its record does.
    fileprivate var recordPart: Record.Part {
        switch self {
        case .field(let field): field.part
        case .place: .place
        case .state, .tag, .origin: .own
        }
    }

    /// A function that returns the key of an entry with this record, if its record determines the group.
    fileprivate var recordText: (Record?) -> String {
        switch self {
        case .field(let field):
            let read = field.reader
            return { $0.flatMap(read).map { "\($0)" } ?? "" }
        case .place: return { [$0?.city, $0?.country].compactMap { $0 }.joined(separator: ", ") }
        case .state, .tag, .origin: return { _ in "" }
        }
    }
}
