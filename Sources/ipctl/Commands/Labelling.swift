import Control
import RecordKeeping
import Varlink

/// Calls of `Label`, and what came of them as a sentence.
struct Labelling {
    let addresses: [String]
    let isPinned: Bool?
    let addTags: [String]?
    let removeTags: [String]?
    let note: String?
    /// "1 address pinned".
    let one: String
    /// "addresses pinned", with a number in front.
    let many: String

    /// - Parameter addresses: each once.
    init(
        _ addresses: [String], isPinned: Bool? = nil, addTags: [String]? = nil, removeTags: [String]? = nil,
        note: String? = nil, one: String, many: String
    ) {
        self.addresses = addresses
        self.isPinned = isPinned
        self.addTags = addTags
        self.removeTags = removeTags
        self.note = note
        self.one = one
        self.many = many
    }

    /// Nothing is put on the address that was not there, so that adding it would be no help.
    private var takesAway: Bool { isPinned == false || removeTags != nil || note?.isEmpty == true }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        var changed = 0
        let calls = ManyCalls(addresses: addresses, addressesPerCall: Limits.addressesPerRequest) { done, _ in
            "At least \(done) are done by now; the same command again does the rest."
        }
        try calls.run(on: connection) { part throws(Complaint) in
            let parameters = Control.Label.Parameters(
                addresses: part, pinned: isPinned, addTags: addTags, removeTags: removeTags, note: note)
            do throws(Complaint) {
                let reply = try connection.call("Label", parameters)
                changed += try reply.decoded(Control.Label.Reply.self).changed
                if output.isJSON { output.print(reply.parameters) }
            } catch {
                throw takesAway ? error.whereAddingIsNoHelp : error.ofLabels.whereNothingHasChanged
            }
        }
        guard !output.isJSON else { return .done }
        let unchanged = max(0, addresses.count - changed)
        let sentence = changed == 1 ? one : "\(Times.grouped(changed)) \(many)"
        output.print(unchanged == 0 ? sentence : "\(sentence), \(Times.grouped(unchanged)) as before")
        return .done
    }
}
