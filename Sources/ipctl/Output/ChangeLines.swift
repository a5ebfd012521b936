import Control
import RecordKeeping

/// The changes to a record at one time: one line per fact, each with the time, so that lines can be searched.
struct ChangeLines {
    let change: Interface.Change
    /// Whether each line names the address.
    var hasAddress = false

    func lines(on terminal: Terminal) -> [String] { styledLines.map { $0.text(on: terminal) } }

    var styledLines: [StyledLine] {
        change.fields.facts.map { fact in
            var line = StyledLine(Times.date(change.at), .dim)
            line.append(hasAddress ? "  \(change.address.printable)  " : "  ")
            line.append(fact.name.capitalizedFirst.printable, .notable)
            line.append(": \(fact.old.printable) → \(fact.new.printable)")
            return line
        }
    }
}
