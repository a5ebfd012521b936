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
        /// The group of each interned place or network so far, if one of them determines the group of an entry.
        var known = InternedResults<Int32>()
        /// The groups of each label so far, if entries are counted by their tags.
        var tagGroups = InternedResults<[Int32]>()

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

    private func count(_ indices: Range<Int>, in counting: inout Counting, at now: Instant) {
        let (key, values, states) = (counting.query.key, slots.internedValues, counting.matcher.states)
        let part = key.part
        slots.look(at: indices) { index, slot in
            guard slot.isWatched else { return }
            if let states, !states.contains(state(of: index, at: now)) { return }
            guard counting.matcher.matches(index, slot, slots.ownTexts, values) else { return }
            counting.total += 1
            func group() -> Int32 {
                let coordinates = key == .place ? (slot.latitude, slot.longitude) : (nil, nil)
                return counting.groups.index(of: text(of: key, in: index, slot, at: now), at: coordinates)
            }
            switch part {
            case .place: counting.groups.addEntry(to: counting.known.of(slot.place, in: values.places, group))
            case .network: counting.groups.addEntry(to: counting.known.of(slot.network, in: values.networks, group))
            case .tags:
                let groups = counting.tagGroups.of(slot.label, in: values.labels) {
                    let tags = values.labels[slot.label]?.value.tags ?? []
                    return (tags.isEmpty ? [""] : tags).map { counting.groups.index(of: $0) }
                }
                for group in groups { counting.groups.addEntry(to: group) }
            case .other: counting.groups.addEntry(to: group())
            }
        }
    }

    /// Returns the key of the group of an entry, unless the entry may belong to several groups.
    private func text(
        of key: CountKey, in index: Int, _ slot: PackedSlot, at now: Instant
    ) -> String {
        switch key {
        case .state: return state(of: index, at: now).rawValue
        case .origin: return slot.origin.rawValue
        case .field(let field): return slots.answer(of: index)?.record?.text(of: field) ?? ""
        case .place:
            let record = slots.answer(of: index)?.record
            return [record?.city, record?.country].compactMap { $0 }.joined(separator: ", ")
        case .tag: return ""
        }
    }
}

extension CountKey {
    /// The part of an entry that determines its groups.
    fileprivate enum Part {
        /// The interned place of its record.
        case place
        /// The interned network of its record.
        case network
        case tags, other
    }

    fileprivate var part: Part {
        switch self {
        case .place: .place
        case .tag: .tags
        case .state, .origin: .other
        case .field(let field):
            switch field.internedPart {
            case .place: .place
            case .network: .network
            case nil: .other
            }
        }
    }
}
