import GRDB
import RecordKeeping

/// The shared rows of all tables.
struct SharedTables {
    var places = SharedRows<Place>()
    var networks = SharedRows<Network>()
    /// Whether the last transaction failed.
    private(set) var hasFailed = false

    init() {}

    /// Reads only the largest ids; `Store.restore` reads the rows.
    init(_ database: Database) throws {
        places = SharedRows(lastID: try Reading.lastID(in: "place", database))
        networks = SharedRows(lastID: try Reading.lastID(in: "network", database))
    }

    mutating func committed() {
        hasFailed = false
        places.committed()
        networks.committed()
    }

    mutating func rolledBack() {
        hasFailed = true
        places.rolledBack()
        networks.rolledBack()
    }
}
