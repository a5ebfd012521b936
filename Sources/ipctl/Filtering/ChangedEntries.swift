import Control
import RecordKeeping
import Varlink

/// The entries that satisfy the condition `changedFields` of a filter, which the client cannot check without the
/// history.
struct ChangedEntries {
    private let filter: Interface.Filter?

    init(_ conditions: EntryConditions?) {
        filter = conditions?.filter
    }

    /// Returns the addresses of the entries in which one of the fields has changed; nil if there is no such condition.
    func addresses(
        among entries: [Interface.Entry], on connection: DaemonConnection
    ) throws(CommandError) -> Set<String>? {
        guard let filter, let fields = filter.changedFields, let since = filter.changedSince else { return nil }
        // Only watched addresses have a history.
        var candidates = entries.filter { $0.watched && $0.changedAt ?? .min >= since }.map(\.address)
        var (changed, before) = (Set<String>(), Int64?.none)
        while !candidates.isEmpty {
            let parameters = Control.History.Parameters(
                addresses: candidates, since: since, fields: fields, before: before,
                limit: Int64(Limits.changesPerPage))
            let reply = try connection.reply(to: "History", parameters)
            if let name = reply.error {
                let error = ControlError(name: name, parameters: reply.parameters)
                // The address may have been removed from the watch list since its entry was read.
                guard case .notWatched(let address) = error, candidates.contains(address) else {
                    throw CommandError(error, from: connection.path)
                }
                candidates.removeAll { $0 == address }
                continue
            }
            let page = try reply.decoded(Control.History.Reply.self)
            changed.formUnion(page.changes.map(\.address))
            guard let next = page.next else { break }
            before = next
        }
        return changed
    }
}
