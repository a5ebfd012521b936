import Control
import RecordKeeping

/// The conditions of a filter, for entries that the client has received.
///
/// They select what `List` selects from the watch list, and entries that are not watched, too. Only the condition
/// `changedFields` is not checked, because it needs the history.
struct EntryConditions {
    let filter: Interface.Filter
    private let search: Search?

    /// - Throws: a usage error if the search is invalid.
    init(_ filter: Interface.Filter) throws(CommandError) {
        self.filter = filter
        do throws(Search.ParseError) {
            search = try filter.search.map { text throws(Search.ParseError) in try Search(text) }
        } catch {
            throw CommandError(status: .usage, message: "invalid search: \(error.description)")
        }
    }

    func matches(_ entry: Interface.Entry) -> Bool {
        if let states = filter.states, !states.contains(entry.state) { return false }
        if let pinned = filter.pinned, pinned != entry.pinned { return false }
        if let since = filter.changedSince, entry.changedAt.map({ $0 < since }) ?? true { return false }
        if let tags = filter.tags, !entry.tags.contains(where: { tags.contains($0) }) { return false }
        if let tags = filter.notTags, entry.tags.contains(where: { tags.contains($0) }) { return false }
        return matchesRecord(entry.record) && matchesSearch(entry)
    }

    /// Returns whether an address matches of which the daemon has no entry. It has no state, labels, record or changes.
    func matchesUnknown(_ address: IPAddress) -> Bool {
        let needsEntry =
            filter.states != nil || filter.tags != nil || filter.pinned == true || filter.changedSince != nil
        let needsRecord = filter.countryCodes != nil || filter.asns != nil || filter.flags != nil
        guard !needsEntry, !needsRecord else { return false }
        return search?.matches(address, texts: []) ?? true
    }

    private func matchesRecord(_ record: Record?) -> Bool {
        let country = record?[.countryCode].map { "\($0)" }
        if let codes = filter.countryCodes, !(country.map { codes.contains($0) } ?? false) { return false }
        if let codes = filter.notCountryCodes, let country, codes.contains(country) { return false }
        if let asns = filter.asns {
            guard case .number(let number)? = record?[.asn], asns.contains(Int64(number)) else { return false }
        }
        guard let flags = filter.flags else { return true }
        return flags.contains { Record.Field(rawValue: $0).flatMap { record?[$0] } == .flag(true) }
    }

    private func matchesSearch(_ entry: Interface.Entry) -> Bool {
        guard let search else { return true }
        guard let address = try? IPAddress(entry.address) else { return false }
        let texts = Record.Field.allCases.compactMap { field -> String? in
            if case .text(let text)? = entry.record?[field] { text } else { nil }
        }
        return search.matches(address, texts: texts + entry.tags + [entry.note].compactMap { $0 })
    }
}
