/// Conditions that select watched entries.
///
/// Conditions combine with AND, and the values of one condition with OR. A condition that is nil selects every entry,
/// and a condition without values selects none.
package struct EntryFilter: Hashable, Sendable {
    /// A flag of a record.
    package enum Flag: String, CaseIterable, Hashable, Sendable {
        case mobile, proxy, hosting
    }

    package var search: Search?
    package var states: Set<EntryState>?
    package var tags: Set<String>?
    /// Excludes the entries that have one of these tags.
    package var notTags: Set<String> = []
    package var isPinned: Bool?
    /// Selects the entries whose record changed at this time or later.
    package var changedSince: WallTime?
    /// Restricts `changedSince` to changes of these fields. The keeper reads such changes from the store, as
    /// `addresses`.
    package var changedFields: Set<Record.Field>?
    /// Selects these addresses.
    var addresses: Set<IPAddress>?
    /// Values of `Record.countryCode`.
    package var countryCodes: Set<String>?
    /// Excludes the entries whose record has one of these values of `Record.countryCode`. Entries without a record, or
    /// whose record has no country, are selected.
    package var notCountryCodes: Set<String> = []
    /// Values of `Record.asn`.
    package var asns: Set<Int>?
    /// Selects the entries whose record has one of these flags.
    package var flags: Set<Flag>?

    package init() {}

    /// Whether the filter has a condition other than `isPinned`.
    var hasOtherConditions: Bool {
        var other = self
        other.isPinned = nil
        return other != EntryFilter()
    }
}

/// Filters that combine with AND, and their results for interned values so far.
///
/// Each interned value is compared once, however many entries share it.
struct EntryMatcher: Sendable {
    fileprivate struct Part: Sendable {
        let filter: EntryFilter
        var search: Verdicts
        var labels: InternedResults<Bool>
        var places: InternedResults<Bool>
        var networks: InternedResults<Bool>

        init(_ filter: EntryFilter, isCaching: Bool) {
            self.filter = filter
            search = Verdicts(isCaching: isCaching)
            labels = InternedResults(isCaching: isCaching)
            places = InternedResults(isCaching: isCaching)
            networks = InternedResults(isCaching: isCaching)
        }
    }

    private var parts: [Part]
    /// The states that all filters select; nil for all states.
    let states: Set<EntryState>?

    /// - Parameter isCaching: whether results are cached, which is useful only for many entries.
    init(_ filters: [EntryFilter], isCaching: Bool = true) {
        parts = filters.map { Part($0, isCaching: isCaching) }
        let conditions = filters.compactMap(\.states)
        states = conditions.first.map { conditions.dropFirst().reduce($0) { $0.intersection($1) } }
    }

    /// Returns whether an entry is watched and matches all filters, apart from their states.
    ///
    /// - Parameter texts: the own texts of all entries, by slot index.
    mutating func matches(_ index: Int, _ slot: PackedSlot, _ texts: [OwnTexts], _ values: InternedValues) -> Bool {
        guard slot.isWatched else { return false }
        for part in parts.indices where !parts[part].matches(index, slot, texts, values) { return false }
        return true
    }

    /// Frees the results so far.
    mutating func forgetVerdicts() {
        self = EntryMatcher(parts.map(\.filter))
    }
}

extension EntryMatcher.Part {
    /// Checks the conditions in ascending order of their cost.
    fileprivate mutating func matches(
        _ index: Int, _ slot: PackedSlot, _ texts: [OwnTexts], _ values: InternedValues
    ) -> Bool {
        if let isPinned = filter.isPinned, isPinned != slot.isPinned { return false }
        if let since = filter.changedSince, slot.changedAt.map({ $0 < since }) ?? true { return false }
        if let addresses = filter.addresses, !addresses.contains(slot.address) { return false }
        if let flags = filter.flags, !flags.contains(where: { slot.hasFlag($0) }) { return false }
        guard matchesLabel(slot, values), matchesPlace(slot, values), matchesNetwork(slot, values) else {
            return false
        }
        return filter.search?.matches(index, slot, texts, values, &search) ?? true
    }

    private mutating func matchesLabel(_ slot: PackedSlot, _ values: InternedValues) -> Bool {
        guard filter.tags != nil || !filter.notTags.isEmpty else { return true }
        // An entry without tags and without a note has no label.
        guard slot.label != 0 else { return filter.tags == nil }
        let (tags, notTags) = (filter.tags, filter.notTags)
        return labels.matches(slot.label, in: values.labels) { label in
            let own = label.value.tags
            return (tags.map { wanted in own.contains { wanted.contains($0) } } ?? true)
                && !own.contains { notTags.contains($0) }
        }
    }

    private mutating func matchesPlace(_ slot: PackedSlot, _ values: InternedValues) -> Bool {
        guard filter.countryCodes != nil || !filter.notCountryCodes.isEmpty else { return true }
        // An entry without a record has no place.
        guard slot.place != 0 else { return filter.countryCodes == nil }
        let (codes, notCodes) = (filter.countryCodes, filter.notCountryCodes)
        return places.matches(slot.place, in: values.places) { place in
            guard let code = place.value.countryCode else { return codes == nil }
            return codes?.contains(code) ?? true && !notCodes.contains(code)
        }
    }

    private mutating func matchesNetwork(_ slot: PackedSlot, _ values: InternedValues) -> Bool {
        guard let asns = filter.asns else { return true }
        return networks.matches(slot.network, in: values.networks) { network in
            network.value.asn.map { asns.contains($0) } ?? false
        }
    }
}
