import Control
import RecordKeeping
import Varlink

/// Changes labels with calls to `Label`, and prints a summary.
struct Labelling {
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

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        var changed = 0
        let calls = BatchedCalls(addresses: addresses, addressesPerCall: Limits.addressesPerRequest) { done, _ in
            "At least \(done) are done; run the same command again for the rest."
        }
        try calls.run(on: connection) { part throws(CommandError) in
            let parameters = Control.Label.Parameters(
                addresses: part, pinned: isPinned, addTags: addTags, removeTags: removeTags, note: note)
            do throws(CommandError) {
                let reply = try connection.call("Label", parameters)
                changed = changed.clampedAdding(try reply.decoded(Control.Label.Reply.self).changed)
                if output.isJSON { output.print(reply.parameters) }
            } catch {
                throw removesLabels ? error.withoutAddHint : error.explainingTagLimit.withUnchangedNote
            }
        }
        guard !output.isJSON else { return .done }
        let unchanged = max(0, addresses.count.clampedSubtracting(changed))
        let sentence = "\(Times.count(changed, noun)) \(participle)"
        output.print(unchanged == 0 ? sentence : "\(sentence), \(Times.grouped(unchanged)) unchanged")
        return .done
    }
}
