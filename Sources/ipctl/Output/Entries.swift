import Control

/// Entries for a person: one as a card, several as a table.
struct Entries {
    private let entries: [Interface.Entry]
    private let now: Int64

    init(_ entries: [Interface.Entry], now: Int64 = Times.now) {
        self.entries = entries
        self.now = now
    }

    func lines(on terminal: Terminal) -> [String] {
        if entries.count == 1, let entry = entries.first { return EntryCard(entry, now: now).lines(on: terminal) }
        var table = Table(columns: Self.columns)
        table.rows = entries.map(row)
        return table.lines(on: terminal)
    }

    private static let columns = [
        Table.Column(title: "ADDRESS"), Table.Column(title: "STATE"), Table.Column(title: "PLACE", shrinksTo: 8),
        Table.Column(title: "NETWORK", shrinksTo: 10), Table.Column(title: "REVERSE NAME", shrinksTo: 8),
        Table.Column(title: "FLAGS", shrinksTo: 3), Table.Column(title: "SCANNED"),
    ]

    private func row(_ entry: Interface.Entry) -> [Table.Cell] {
        let record = entry.record
        let place = [record?.city, record?.countryCode].compactMap { $0 }.joined(separator: ", ")
        return [
            Table.Cell(entry.address), Table.Cell(entry.state, StateWords.style(of: entry.state)),
            Table.Cell(place.isEmpty ? entry.reason ?? entry.failure?.message ?? "" : place),
            Table.Cell(record?.as ?? record?.isp ?? ""), Table.Cell(record?.reverse ?? ""),
            Table.Cell(EntryCard.flags(of: record)),
            Table.Cell(entry.scannedAt.map { Times.ago($0, from: now) } ?? ""),
        ]
    }
}

/// How states are told.
enum StateWords {
    static func style(of state: String) -> Style? {
        switch state {
        case "fresh": .good
        case "stale", "loading": .caution
        case "failed": .bad
        case "empty": .dim
        default: nil
        }
    }
}
