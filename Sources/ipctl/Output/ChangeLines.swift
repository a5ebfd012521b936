import Control

/// The changes to a record at one time: one line per field, each with the time, so that lines can be searched.
struct ChangeLines {
    let change: Interface.Change

    func lines(on terminal: Terminal) -> [String] {
        let time = terminal.styled(Times.date(change.at), .dim)
        return change.fields.map { field in
            let name = terminal.styled(field.field.printable, .notable)
            return "\(time)  \(name): \((field.old ?? "(none)").printable) → \((field.new ?? "(none)").printable)"
        }
    }
}
