import Control
import RecordKeeping

/// A table with one line per entry.
struct EntryTable {
    /// Whether there are columns for tags and notes.
    private let hasLabels: Bool
    /// Whether there is a column for pins.
    private let hasPins: Bool
    private let now: Int64
    private var table: Table

    init(hasLabels: Bool = false, hasPins: Bool = false, now: Int64) {
        self.hasLabels = hasLabels
        self.hasPins = hasPins
        self.now = now
        let pins = hasPins ? [Table.Column(title: "PIN")] : []
        let labels = hasLabels ? [Table.Column(title: "TAGS", shrinksTo: 6), .init(title: "NOTE", shrinksTo: 8)] : []
        table = Table(
            columns: [Table.Column(title: "ADDRESS")] + pins + [
                Table.Column(title: "STATE"), .init(title: "PLACE", shrinksTo: 8),
                .init(title: "NETWORK", shrinksTo: 10),
            ] + labels + [
                Table.Column(title: "REVERSE NAME", shrinksTo: 8), .init(title: "FLAGS", shrinksTo: 3),
                .init(title: "SCANNED"),
            ])
    }

    /// Returns the lines of the next entries, below the lines of earlier calls.
    mutating func nextLines(_ entries: [Interface.Entry], on terminal: Terminal) -> [String] {
        table.nextLines(entries.map(row), on: terminal)
    }

    private func row(_ entry: Interface.Entry) -> [Table.Cell] {
        let record = entry.record
        let place = [record?.city, record?.countryCode].compactMap { $0 }.joined(separator: ", ")
        let pin = hasPins ? [Table.Cell(entry.pinned ? "yes" : "")] : []
        let labels = hasLabels ? [Table.Cell(entry.tags.joined(separator: ", ")), Table.Cell(entry.note ?? "")] : []
        return [Table.Cell(entry.address)] + pin + [
            Table.Cell(entry.state, StateMark.style(of: entry.state)),
            place.isEmpty ? .remark(entry.reason ?? entry.failure?.message ?? "") : Table.Cell(place),
            Table.Cell(record?.as ?? record?.isp ?? ""),
        ] + labels + [
            Table.Cell(record?.reverse ?? ""), Table.Cell(EntryCard.flags(of: record)),
            Table.Cell(entry.scannedAt.map { Times.ago($0, from: now) } ?? ""),
        ]
    }
}
