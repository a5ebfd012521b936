import Control
import RecordKeeping

/// A table with one line per entry.
struct EntryTable {
    /// A column, and the text of an entry in it.
    private typealias Field = (column: Table.Column, cell: (Interface.Entry) -> Table.Cell)

    private let fields: [Field]
    private var table: Table

    /// - Parameters:
    ///   - hasLabels: whether there are columns for tags and notes.
    ///   - hasPins: whether there is a column for pins.
    ///   - hasProblems: whether there is a column for the reasons why there are no fresh records.
    ///   - wait: the wait for the records; nil if the command did not wait.
    init(
        hasLabels: Bool = false, hasPins: Bool = false, hasProblems: Bool = false, now: Int64, wait: EndedWait? = nil
    ) {
        var fields: [Field] = [(.init(title: "ADDRESS"), { .init($0.address) })]
        if hasPins { fields.append((.init(title: "PIN"), { .init($0.pinned ? "yes" : "") })) }
        fields += [
            (.init(title: "STATE"), { Self.state($0) }),
            (.init(title: "PLACE", shrinksTo: 8), { Self.place($0) }),
            (.init(title: "NETWORK", shrinksTo: 10), { Self.cell($0) { $0.as ?? $0.isp ?? "" } }),
        ]
        if hasLabels {
            fields.append((.init(title: "TAGS", shrinksTo: 6), { .init($0.tags.joined(separator: ", ")) }))
            fields.append((.init(title: "NOTE", shrinksTo: 8), { .init($0.note ?? "") }))
        }
        fields += [
            (.init(title: "REVERSE NAME", shrinksTo: 8), { .init($0.record?.reverse ?? "") }),
            (.init(title: "FLAGS", shrinksTo: 3), { Self.cell($0) { EntryCard.flags(of: $0) } }),
            (.init(title: "SCANNED"), { .init($0.scannedAt.map { Times.ago($0, from: now) } ?? "") }),
        ]
        if hasProblems {
            let column = Table.Column(title: "PROBLEM", shrinksTo: 20, isImportant: true)
            fields.append((column, { .init(Self.problem($0, now: now, wait: wait) ?? "") }))
        }
        self.fields = fields
        table = Table(columns: fields.map(\.column))
    }

    /// Returns the lines of the next entries, which are shown below the lines from earlier calls.
    ///
    /// - Parameter isWhole: whether the table has no other entries.
    mutating func nextLines(_ entries: [Interface.Entry], on terminal: Terminal, isWhole: Bool) -> [String] {
        table.nextLines(entries.map { entry in fields.map { $0.cell(entry) } }, on: terminal, isWhole: isWhole)
    }

    /// The state, and a mark if the row shows a record from local databases instead of one from the provider.
    private static func state(_ entry: Interface.Entry) -> Table.Cell {
        Table.Cell(entry.substitute == nil ? entry.state : "\(entry.state), offline", StateMark.style(of: entry.state))
    }

    /// A text of the record; dimmed if the record is from local databases.
    private static func cell(_ entry: Interface.Entry, _ text: (Record) -> String) -> Table.Cell {
        if let record = entry.record { return Table.Cell(text(record)) }
        return Table.Cell(entry.substitute.map { text($0.record) } ?? "", .dim)
    }

    /// The city and the country, or else the reason why the provider has no record.
    private static func place(_ entry: Interface.Entry) -> Table.Cell {
        let place = cell(entry) { [$0.city, $0.countryCode].compactMap { $0 }.joined(separator: ", ") }
        return place.text.isEmpty ? .remark(entry.reason ?? "") : place
    }

    /// The reason why an entry has no fresh record; nil if none is known.
    static func problem(_ entry: Interface.Entry, now: Int64, wait: EndedWait? = nil) -> String? {
        FailureText(of: entry, now: now)?.sentence ?? wait?.reason(for: entry)
    }
}
