import Control
import RecordKeeping
import Varlink

/// A call of `Label`, and what came of it as a sentence.
struct Labelling {
    let parameters: Control.Label.Parameters
    /// "1 address pinned".
    let one: String
    /// "addresses pinned", with a number in front.
    let many: String

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let reply = try connection.call("Label", parameters)
        let changed = try reply.decoded(Control.Label.Reply.self).changed
        guard !output.isJSON else {
            output.print(reply.parameters)
            return .done
        }
        let unchanged = max(0, parameters.addresses.countOfAddresses - changed)
        let sentence = changed == 1 ? one : "\(Times.grouped(changed)) \(many)"
        output.print(unchanged == 0 ? sentence : "\(sentence), \(Times.grouped(unchanged)) as before")
        return .done
    }
}

extension [String] {
    /// How many addresses these are, however each is spelled. What is no address counts as it is: the daemon refuses it.
    var countOfAddresses: Int {
        Set(map { text in (try? IPAddress(text))?.description ?? text }).count
    }
}
