@testable import RecordKeeping

extension EntryFilter {
    init(_ change: (inout EntryFilter) -> Void) {
        self.init()
        change(&self)
    }
}

extension Request.Body {
    /// A request for the history of one address.
    static func history(of address: IPAddress, before: Int64? = nil, limit: Int) -> Request.Body {
        .history(ChangeQuery(addresses: [address], before: before, limit: limit), matching: nil)
    }
}

extension ListQuery {
    /// A query with one filter.
    init(
        search: Search? = nil, state: EntryState? = nil, tag: String? = nil, pinned: Bool? = nil,
        changedSince: WallTime? = nil, after: ListCursor? = nil, limit: Int, isWhole: Bool = false
    ) {
        let filter = EntryFilter {
            $0.search = search
            $0.states = state.map { [$0] }
            $0.tags = tag.map { [$0] }
            $0.isPinned = pinned
            $0.changedSince = changedSince
        }
        self.init(filters: filter == EntryFilter() ? [] : [filter], after: after, limit: limit, isWhole: isWhole)
    }
}
