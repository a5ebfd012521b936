import Control

/// A table with one line per outage.
struct OutageTable {
    let outages: [Interface.Outage]
    let now: Int64

    func lines(on terminal: Terminal) -> [String] {
        let columns = [
            Table.Column(title: "FROM"), .init(title: "UNTIL"), .init(title: "LASTED"), .init(title: "CAUSE"),
            .init(title: "DEFERRED", isNumber: true), .init(title: "MESSAGE", shrinksTo: 10),
        ]
        return Table(columns: columns, rows: outages.map(row)).lines(on: terminal)
    }

    private func row(_ outage: Interface.Outage) -> [Table.Cell] {
        [
            Table.Cell(Times.date(outage.since)),
            outage.until.map { Table.Cell(Times.date($0)) } ?? Table.Cell("ongoing", .bad),
            Table.Cell(Times.span(milliseconds: (outage.until ?? now).clampedSubtracting(outage.since))),
            Table.Cell(outage.cause), Table.Cell(Times.grouped(outage.deferred)), Table.Cell(outage.message),
        ]
    }
}
