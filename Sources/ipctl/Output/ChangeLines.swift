import Control
import RecordKeeping

/// The changes to a record at one time: one line per fact, each with the time, so that lines can be searched.
struct ChangeLines {
    let change: Interface.Change
    /// Whether each line names the address.
    var hasAddress = false

    func lines(on terminal: Terminal) -> [String] {
        let time = terminal.styled(Times.date(change.at), .dim)
        return change.fields.facts.map { fact in
            let name = terminal.styled(fact.name.capitalizedFirst.printable, .notable)
            let address = hasAddress ? "\(change.address.printable)  " : ""
            return "\(time)  \(address)\(name): \(fact.old.printable) → \(fact.new.printable)"
        }
    }
}
