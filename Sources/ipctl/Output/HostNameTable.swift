import Control

/// A table with one line per watched host name.
struct HostNameTable {
    let names: [Interface.Name]
    let now: Int64

    func lines(on terminal: Terminal) -> [String] {
        let columns = [
            Table.Column(title: "NAME", shrinksTo: 12), .init(title: "STATE"), .init(title: "ADDRESSES", shrinksTo: 15),
            .init(title: "PROBLEM", shrinksTo: 10),
        ]
        return Table(columns: columns, rows: names.map(row)).lines(on: terminal)
    }

    private func row(_ name: Interface.Name) -> [Table.Cell] {
        [
            Table.Cell(name.name), Table.Cell(name.state, Self.style(name.state)),
            Table.Cell(name.addresses.joined(separator: " ")),
            Table.Cell(WatchedNames.problem(name, now: now) ?? ""),
        ]
    }

    private static func style(_ state: String) -> TextStyle? {
        switch state {
        case "fresh": .good
        case "stale": .caution
        case "failed": .bad
        default: nil
        }
    }
}
