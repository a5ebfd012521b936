import GRDB
import RecordKeeping

/// The shared rows of all tables.
struct SharedTables {
    var places = SharedRows<Place>()
    var networks = SharedRows<Network>()

    init() {}

    /// Reads only the largest ids; `Store.restore` reads the rows.
    init(_ database: Database) throws {
        places = SharedRows(lastID: try Reading.lastID(in: "place", database))
        networks = SharedRows(lastID: try Reading.lastID(in: "network", database))
    }

    mutating func committed() {
        places.committed()
        networks.committed()
    }

    mutating func rolledBack() {
        places.rolledBack()
        networks.rolledBack()
    }
}
