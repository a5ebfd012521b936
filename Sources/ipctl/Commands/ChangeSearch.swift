import Control
import Varlink

/// Reads the changes of selected fields in a period.
struct ChangeSearch {
    /// The start of the period, in milliseconds since 1970; nil for all kept changes.
    var since: Int64?
    /// The end of the period, which is part of it; nil for the present.
    var until: Int64?
    /// The fields whose changes are read; empty for all.
    var fields: Set<String> = []

    /// The changes of a call. More are rarely needed, because only the newest changes are shown.
    private static let changesPerCall: Int64 = 1_000

    /// Returns the conditions for the entries that may have such changes, in addition to those of a filter.
    func filter(_ other: Interface.Filter?) -> Interface.Filter? {
        guard since != nil || !fields.isEmpty else { return other }
        var filter = other ?? Interface.Filter()
        filter.changedSince = max(since ?? 0, filter.changedSince ?? 0)
        if filter.changedFields == nil, !fields.isEmpty { filter.changedFields = fields.sorted() }
        return filter
    }

    /// Returns the newest changes of an address, newest first, with only the selected fields.
    ///
    /// - Parameter limit: the maximum number of changes.
    func changes(
        of address: String, limit: Int, on connection: DaemonConnection
    ) throws(CommandError) -> [Interface.Change] {
        var found: [Interface.Change] = []
        var before: Int64?
        while found.count < limit {
            let parameters = Control.History.Parameters(
                address: address, before: before, limit: Self.changesPerCall)
            let page = try connection.call("History", parameters).decoded(Control.History.Reply.self).changes
            found += page.compactMap { selected($0) }
            guard let last = page.last, page.count == Int(Self.changesPerCall) else { break }
            // Changes are in the order in which they happened.
            if let since, last.at < since { break }
            before = last.seq
        }
        return Array(found.prefix(limit))
    }

    /// - Returns: nil if the change is outside of the period, or if none of the fields changed.
    private func selected(_ change: Interface.Change) -> Interface.Change? {
        if let since, change.at < since { return nil }
        if let until, change.at > until { return nil }
        guard !fields.isEmpty else { return change }
        var selected = change
        selected.fields = change.fields.filter { fields.contains($0.field) }
        return selected.fields.isEmpty ? nil : selected
    }
}
