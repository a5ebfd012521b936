import Control
import RecordKeeping
import Varlink

/// A search in the history for the entries that satisfy the condition `changedFields` of a filter, which the client
/// cannot check without the history. The caller makes the calls:
///
///     while let parameters = search.parameters { try search.receive(reply(to: parameters), from: path) }
struct ChangedEntries {
    /// The entries among which the search is made.
    let entries: [Interface.Entry]
    private let since: Int64
    private let fields: [String]
    private var candidates: [String]
    private var before: Int64?
    private var isComplete = false
    /// The addresses of the entries found so far, in which one of the fields has changed.
    private(set) var addresses: Set<String> = []

    /// - Returns: nil if there is no such condition.
    init?(_ conditions: EntryConditions?, among entries: [Interface.Entry]) {
        guard let filter = conditions?.filter, let fields = filter.changedFields, let since = filter.changedSince
        else { return nil }
        (self.entries, self.since, self.fields) = (entries, since, fields)
        // Only watched addresses have a history.
        candidates = entries.filter { $0.watched && $0.changedAt ?? .min >= since }.map(\.address)
    }

    /// The parameters of the next call of `History`; nil at the end of the search.
    var parameters: Control.History.Parameters? {
        guard !isComplete, !candidates.isEmpty else { return nil }
        return Control.History.Parameters(
            addresses: candidates, since: since, fields: fields, before: before,
            limit: Int64(Limits.changesPerPage))
    }

    /// Handles the reply to a call with `parameters`.
    ///
    /// - Parameter path: the socket of the daemon, for errors.
    mutating func receive(_ reply: ClientConversation.IncomingReply, from path: String) throws(CommandError) {
        if let name = reply.error {
            let error = ControlError(name: name, parameters: reply.parameters)
            // The address may have been removed from the watch list since its entry was read.
            guard case .notWatched(let address) = error, candidates.contains(address) else {
                throw CommandError(error, from: path)
            }
            return candidates.removeAll { $0 == address }
        }
        let page = try reply.decoded(Control.History.Reply.self)
        addresses.formUnion(page.changes.map(\.address))
        before = page.next
        isComplete = page.next == nil
    }
}
