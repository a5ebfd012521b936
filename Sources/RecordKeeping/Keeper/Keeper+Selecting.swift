/// `List`, `Count` and `History` requests whose filters depend on the history, which only the store has.
extension Keeper {
    /// Begins to answer a `List`, `Count` or `History` request, or reads the changes that its filters need.
    mutating func select(_ request: Request, at now: Instant) {
        // Only one of the filters of a request can have this condition.
        guard let filter = request.body.filters.first(where: { $0.needsChanges }), let fields = filter.changedFields
        else {
            return begin(request, at: now)
        }
        selections[request.id] = request
        let since = filter.changedSince ?? WallTime(milliseconds: 0)
        emit(.readChangedAddresses(request.id, since: since, fields: fields))
    }

    /// Begins to answer a request whose filters depend on kept changes.
    mutating func changedAddressesRead(_ request: Request.ID, _ addresses: Set<IPAddress>, at now: Instant) {
        // The client may have disconnected.
        guard var selection = selections.removeValue(forKey: request) else { return }
        selection.body.filters = selection.body.filters.map { filter in
            guard filter.needsChanges else { return filter }
            var complete = filter
            complete.addresses = addresses
            return complete
        }
        begin(selection, at: now)
    }

    private mutating func begin(_ request: Request, at now: Instant) {
        switch request.body {
        case .list(let query): list(query, for: request.id, at: now)
        case .count(let query): count(query, for: request.id, at: now)
        case .history(let query, let filter): history(query, matching: filter, for: request.id)
        case .add, .remove, .show, .status, .metrics, .label, .refresh, .outages, .reload, .monitor: break
        }
    }
}

extension EntryFilter {
    /// Whether the condition `changedFields` has not been resolved to addresses.
    fileprivate var needsChanges: Bool { changedFields != nil && addresses == nil }
}

extension Request.Body {
    /// The filters of a `List`, `Count` or `History` request.
    fileprivate var filters: [EntryFilter] {
        get {
            switch self {
            case .list(let query): query.filters
            case .count(let query): query.filter.map { [$0] } ?? []
            case .history(_, let filter): filter.map { [$0] } ?? []
            case .add, .remove, .show, .status, .metrics, .label, .refresh, .outages, .reload, .monitor: []
            }
        }
        set {
            switch self {
            case .list(var query):
                query.filters = newValue
                self = .list(query)
            case .count(var query):
                query.filter = newValue.first
                self = .count(query)
            case .history(let query, _): self = .history(query, matching: newValue.first)
            case .add, .remove, .show, .status, .metrics, .label, .refresh, .outages, .reload, .monitor: break
            }
        }
    }
}
