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

        init(_ query: CountQuery) {
            self.query = query
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

    /// The entries of one turn with the same interned value.
    private struct Share {
        var count = 0
        /// The slot of one of the entries.
        let slot: Int
    }

    private func count(_ indices: Range<Int>, in counting: inout Counting, at now: Instant) {
        // Interned values are converted to text once per turn. Later, their indices may stand for other values.
        var shares: [UInt32: Share] = [:]
        let key = counting.query.key
        let hasStates = counting.matcher.states != nil
        slots.look(at: indices) { index, slot in
            guard slot.isWatched else { return }
            if hasStates, counting.matcher.states?.contains(state(of: index, at: now)) != true { return }
            guard counting.matcher.matches(slot, slots.internedValues) else { return }
            counting.total += 1
            if let share = key.internIndex(of: slot) {
                shares[share, default: Share(slot: index)].count += 1
            } else {
                counting.groups.add(1, to: text(of: key, in: index, slot, at: now)) { (nil, nil) }
            }
        }
        for (_, share) in shares {
            let slot = slots.peek(share.slot)
            for text in slots.internedValues.texts(of: key, in: slot) {
                counting.groups.add(share.count, to: text) {
                    key == .place ? (slot.latitude, slot.longitude) : (nil, nil)
                }
            }
        }
    }

    /// Returns the key of an entry that does not depend on an interned value.
    private func text(of key: CountKey, in index: Int, _ slot: PackedSlot, at now: Instant) -> String {
        switch key {
        case .state: state(of: index, at: now).rawValue
        case .origin: slot.isByClient ? "client" : "file"
        case .field(let field): slot.answer(slots.internedValues)?.record?.text(of: field) ?? ""
        case .tag, .place: ""
        }
    }
}

extension CountKey {
    /// Returns the index of the interned value that determines the group of an entry; nil if none does.
    fileprivate func internIndex(of slot: PackedSlot) -> UInt32? {
        switch self {
        case .tag: slot.label
        case .place: slot.place
        case .field(let field):
            switch field.storage {
            case .place, .offset: slot.place
            case .network, .asn: slot.network
            case .degrees, .own, .flag: nil
            }
        case .state, .origin: nil
        }
    }
}

extension InternedValues {
    /// Returns the keys of an entry that follow from an interned value.
    fileprivate func texts(of key: CountKey, in slot: PackedSlot) -> [String] {
        switch key {
        case .tag:
            let tags = labels[slot.label]?.value.tags ?? []
            return tags.isEmpty ? [""] : tags
        case .place:
            let place = places[slot.place]?.value
            return [[place?.city, place?.country].compactMap { $0 }.joined(separator: ", ")]
        case .field(let field):
            switch field.storage {
            case .place(let path): return [places[slot.place]?.value[keyPath: path] ?? ""]
            case .offset: return [places[slot.place]?.value.offset.map { "\($0)" } ?? ""]
            case .network(let path): return [networks[slot.network]?.value[keyPath: path] ?? ""]
            case .asn: return [networks[slot.network]?.value.asn.map { "\($0)" } ?? ""]
            case .degrees, .own, .flag: return []
            }
        case .state, .origin: return []
        }
    }
}
