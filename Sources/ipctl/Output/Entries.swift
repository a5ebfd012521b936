import Control

/// Displays a single entry as a card, and several entries as a table.
struct Entries {
    let entries: [Interface.Entry]
    var now = Times.now

    func lines(on terminal: Terminal) -> [String] {
        if entries.count == 1, let entry = entries.first {
            return EntryCard(entry: entry, now: now).lines(on: terminal)
        }
        var table = EntryTable(hasProblems: entries.contains { $0.record != nil && $0.failure != nil }, now: now)
        return table.nextLines(entries, on: terminal)
    }
}
