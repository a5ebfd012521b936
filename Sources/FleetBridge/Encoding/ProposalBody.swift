package import RecordKeeping

/// A change that a client of any node requests, as the leader runs it.
package enum ProposalBody: Hashable, Sendable {
    /// - Parameter until: the time at which the watches end by themselves; nil if they do not.
    case add([IPAddress], tags: [String], note: String?, until: WallTime?)
    case remove([IPAddress])
    case label([IPAddress], LabelChange)
    /// - Parameter note: nil to leave notes as they are; an empty string removes them.
    case addNames([HostName], tags: [String], note: String?)
    case removeNames([HostName])
    /// Retries addresses without a fresh record; nil stands for the whole watch list.
    case refresh([IPAddress]?)
    /// Looks up addresses that no node knows, for a client that does not watch them. The leader replies at once, and
    /// the records follow in the journal.
    case lookUp([IPAddress])

    /// Returns nil for a request that each node answers itself, or whose change is not a proposal.
    package init?(_ request: Request.Body) {
        switch request {
        case .add(let addresses, let tags, let note, let until):
            self = .add(addresses, tags: tags, note: note, until: until)
        case .remove(let addresses): self = .remove(addresses)
        case .label(let addresses, let change): self = .label(addresses, change)
        case .addNames(let names, let tags, let note): self = .addNames(names, tags: tags, note: note)
        case .removeNames(let names): self = .removeNames(names)
        case .refresh(let addresses): self = .refresh(addresses)
        case .names, .nameHistory, .previewRemoval, .show, .known, .status, .metrics, .list, .count, .history, .outages,
            .reload, .monitor:
            return nil
        }
    }

    /// The request that the leader's keeper runs; nil for a lookup, which no request consists of.
    package var request: Request.Body? {
        switch self {
        case .add(let addresses, let tags, let note, let until):
            .add(addresses, tags: tags, note: note, until: until)
        case .remove(let addresses): .remove(addresses)
        case .label(let addresses, let change): .label(addresses, change)
        case .addNames(let names, let tags, let note): .addNames(names, tags: tags, note: note)
        case .removeNames(let names): .removeNames(names)
        case .refresh(let addresses): .refresh(addresses)
        case .lookUp: nil
        }
    }
}
