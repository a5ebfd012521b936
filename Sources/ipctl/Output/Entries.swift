import Control

/// Displays a single entry as a card, and several entries as a table.
struct Entries {
    let entries: [Interface.Entry]
    var now = Times.now
    /// The wait for the records; nil if the command did not wait.
    var wait: EndedWait?

    func lines(on terminal: Terminal) -> [String] {
        if entries.count == 1, let entry = entries.first {
            return EntryCard(entry: entry, now: now, wait: wait).lines(on: terminal)
        }
        let hasProblems = entries.contains { EntryTable.problem($0, now: now, wait: wait) != nil }
        var table = EntryTable(hasProblems: hasProblems, now: now, wait: wait)
        return table.nextLines(entries, on: terminal, isWhole: true)
    }
}
