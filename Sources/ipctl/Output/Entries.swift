import Control

/// Displays a single entry as a card, and several entries as a table.
struct Entries {
    private let entries: [Interface.Entry]
    private let now: Int64

    init(_ entries: [Interface.Entry], now: Int64 = Times.now) {
        self.entries = entries
        self.now = now
    }

    func lines(on terminal: Terminal) -> [String] {
        if entries.count == 1, let entry = entries.first { return EntryCard(entry, now: now).lines(on: terminal) }
        var table = EntryTable(now: now)
        return table.nextLines(entries, on: terminal)
    }
}
