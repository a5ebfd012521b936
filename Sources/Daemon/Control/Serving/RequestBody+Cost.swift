import RecordKeeping

extension Request.Body {
    /// Whether the request is abandoned when its client disconnects. A `status` request is not abandoned, because it is
    /// answered at once.
    var isQuery: Bool {
        switch self {
        case .monitor, .show, .known, .list, .count, .history, .outages, .names, .nameHistory: true
        case .reload(_, let isPreview): isPreview
        case .add, .remove, .addNames, .removeNames, .previewRemoval, .label, .status, .metrics, .refresh: false
        }
    }

    /// Whether the reply continues for as long as the client is connected.
    var isListening: Bool {
        if case .monitor = self { true } else { false }
    }

    /// Estimated memory of the request and its reply until the reply is encoded, in bytes.
    var heldBytes: Int {
        switch self {
        case .monitor(_, let selection):
            ((selection.addresses?.count ?? 0) + (selection.names?.count ?? 0)) * ControlLimits.bytesPerAddress
                + (selection.tags ?? []).reduce(0) { $0 + $1.utf8.count }
        case .show(let addresses, _), .known(let addresses):
            addresses.count * ControlLimits.bytesPerAddress
                + min(addresses.count, Limits.entriesPerTurn) * ControlLimits.bytesPerEntry
        case .list(let query): query.limit * ControlLimits.bytesPerEntry
        case .count(let query): query.limit * ControlLimits.bytesPerGroup
        case .history(let query, _):
            // The changes of a few addresses are sent as soon as they are read.
            (query.addresses?.count ?? 0) * ControlLimits.bytesPerAddress
                + (query.isOfFewAddresses ? 0 : query.limit * ControlLimits.bytesPerChange)
        case .names(let names):
            (names?.count ?? Limits.watchedNames) * Limits.addressesPerName * ControlLimits.bytesPerAddress
        case .nameHistory(_, _, let limit): limit * ControlLimits.bytesPerChange
        case .add, .remove, .addNames, .removeNames, .previewRemoval, .label, .status, .metrics, .refresh, .outages,
            .reload:
            0
        }
    }

    /// Maximum number of addresses that the request handles, or of rows that are read for the reply. The addresses of a
    /// listener are only stored.
    var addressCount: Int {
        switch self {
        case .history(let query, _): max(query.addresses?.count ?? Limits.changesPerRead, query.limit)
        case .outages(_, let limit), .nameHistory(_, _, let limit): limit
        case .addNames(let names, _, _), .removeNames(let names): names.count * Limits.addressesPerName
        case .names(let names): names?.count ?? Limits.watchedNames
        case .list(let query): query.isFiltering ? Limits.entriesPerTurn : query.limit
        case .count: Limits.entriesPerTurn
        case .monitor(let after, _): after == nil ? 0 : Limits.eventsPerRead
        case .add(let addresses, _, _, _): addresses.count
        case .remove(let addresses), .previewRemoval(let addresses), .label(let addresses, _), .show(let addresses, _),
            .known(let addresses):
            addresses.count
        case .refresh(let addresses): addresses?.count ?? 0
        case .status, .metrics, .reload: 0
        }
    }
}
