package import RecordKeeping

/// The reply to a proposal, which the journal keeps together with the changes.
package enum OutcomeReply: Hashable, Sendable {
    /// As `Response.added`.
    case added(Int, already: Int, ends: WatchEndCounts)
    /// As `Response.removed`.
    case removed(Int, staying: [IPAddress])
    case namesAdded(Int, already: Int)
    case namesRemoved(Int)
    case labelled(Int)
    case refreshing(Int, fresh: Int)
    /// A lookup has begun: the records or failures follow in the journal.
    case lookingUp
    case refused(Refusal)

    /// Returns nil for a response that answers no proposal.
    package init?(_ response: Response) {
        switch response {
        case .added(let count, let already, let ends): self = .added(count, already: already, ends: ends)
        case .removed(let count, let staying): self = .removed(count, staying: staying)
        case .namesAdded(let count, let already): self = .namesAdded(count, already: already)
        case .namesRemoved(let count): self = .namesRemoved(count)
        case .labelled(let count): self = .labelled(count)
        case .refreshing(let count, let fresh): self = .refreshing(count, fresh: fresh)
        case .refused(let refusal): self = .refused(refusal)
        case .names, .nameEvents, .entries, .status, .metrics, .page, .counts, .changes, .outages, .reloaded:
            return nil
        }
    }

    /// The response to the client; nil for the beginning of a lookup.
    package var response: Response? {
        switch self {
        case .added(let count, let already, let ends): .added(count, already: already, ends: ends)
        case .removed(let count, let staying): .removed(count, staying: staying)
        case .namesAdded(let count, let already): .namesAdded(count, already: already)
        case .namesRemoved(let count): .namesRemoved(count)
        case .labelled(let count): .labelled(count)
        case .refreshing(let count, let fresh): .refreshing(count, fresh: fresh)
        case .lookingUp: nil
        case .refused(let refusal): .refused(refusal)
        }
    }
}
