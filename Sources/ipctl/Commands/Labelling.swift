import Control
import RecordKeeping
import Varlink

/// Changes labels with calls to `Label`, and prints a summary.
struct Labelling: Hashable {
    /// The addresses, without duplicates.
    let addresses: [String]
    var isPinned: Bool?
    var addTags: [String]?
    var removeTags: [String]?
    var note: String?
    /// The counted noun of the summary "2 addresses pinned".
    var noun = "address"
    /// The participle of the summary "2 addresses pinned".
    let participle: String

    /// Whether the command only removes labels, so that advice to add the address would not help.
    private var removesLabels: Bool { isPinned == false || removeTags != nil || note?.isEmpty == true }

    /// - Parameter isPreview: whether the command only prints what it would change.
    func run(
        on connection: DaemonConnection, _ output: Output, isPreview: Bool
    ) throws(CommandError) -> ExitStatus {
        guard !isPreview else {
            try preview(on: connection).print(to: output)
            return .done
        }
        var changed = 0
        let calls = BatchedCalls(addresses: addresses, addressesPerCall: Limits.addressesPerRequest) { done, _ in
            "At least \(done) are done; run the same command again for the rest."
        }
        try calls.run(on: connection) { part throws(CommandError) in
            do throws(CommandError) {
                let reply = try connection.call("Label", parameters(for: part))
                changed = changed.clampedAdding(try reply.decoded(Control.Label.Reply.self).changed)
                if output.isJSON { output.print(reply.parameters) }
            } catch {
                throw explained(error)
            }
        }
        if !output.isJSON { output.print(sentence(changed: changed)) }
        return .done
    }

    /// - Parameter part: some of the addresses.
    func parameters(for part: [String]) -> Control.Label.Parameters {
        Control.Label.Parameters(
            addresses: part, pinned: isPinned, addTags: addTags, removeTags: removeTags, note: note)
    }

    /// Returns the error of a call for the user.
    func explained(_ error: CommandError) -> CommandError {
        removesLabels ? error.withoutAddHint : error.explainingTagLimit.withUnchangedNote
    }

    /// Returns the summary of the replies, such as "2 addresses pinned".
    func sentence(changed: Int) -> String { sentence(changed: changed, verb: participle) }

    private func sentence(changed: Int, verb: String) -> String {
        let unchanged = max(0, addresses.count.clampedSubtracting(changed))
        let sentence = "\(Times.count(changed, noun)) \(verb)"
        return unchanged == 0 ? sentence : "\(sentence), \(Times.grouped(unchanged)) unchanged"
    }

    private func preview(on connection: DaemonConnection) throws(CommandError) -> Preview {
        let entries = try WatchedEntries(among: addresses, on: connection).all(of: addresses)
        let changing = entries.filter(changes).map(\.address)
        return Preview(
            addresses: changing, summary: sentence(changed: changing.count, verb: "would be \(participle)"))
    }

    private func changes(_ entry: WatchedEntries.Entry) -> Bool {
        if let isPinned, isPinned != entry.pinned { return true }
        if let addTags, !Set(addTags).isSubset(of: entry.tags) { return true }
        if let removeTags, !Set(removeTags).isDisjoint(with: entry.tags) { return true }
        return note.map { $0 != entry.note ?? "" } ?? false
    }
}
