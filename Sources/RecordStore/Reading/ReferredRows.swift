import GRDB
import RecordKeeping
import StoredValues

/// The rows to which records refer, by their ids. The readers of entries share them.
struct ReferredRows: Sendable {
    /// The ids of all rows of the table `scan`, including those that cannot be read.
    let scanIDs: Set<Int64>
    /// The time and the source of each cohort, by the id of its row.
    private(set) var scans: [Int64: (time: Instant, provider: String, version: DataVersion.ID?)] = [:]
    private(set) var places: [Int64: Interned<Place>] = [:]
    private(set) var networks: [Int64: Interned<Network>] = [:]
    /// The largest ids, including rows that cannot be read.
    private(set) var (lastScan, lastPlace, lastNetwork): (Int64, Int64, Int64)

    init(_ reading: inout Reading) throws {
        scanIDs = try Int64.fetchSet(reading.database, sql: "SELECT id FROM scan")
        lastScan = try Reading.lastID(in: "scan", reading.database)
        lastPlace = try Reading.lastID(in: "place", reading.database)
        lastNetwork = try Reading.lastID(in: "network", reading.database)
        let scanRows = try reading.readable(
            "scan", "SELECT id, provider, at, boot_ns, boot, version FROM scan", Self.scan)
        for (id, time, provider, version) in scanRows { scans[id] = (time, provider, version) }
        for (id, place) in try reading.readable("place", "SELECT * FROM place", Self.place) { places[id] = place }
        for (id, network) in try reading.readable("network", "SELECT * FROM network", Self.network) {
            networks[id] = network
        }
    }

    private static func scan(_ reading: Reading) -> (Row) throws -> (Int64, Instant, String, DataVersion.ID?) {
        { row in
            let time = reading.times.instant(
                milliseconds: try row.column(2), bootTime: try row.column(3), boot: try row.column(4))
            guard let time else { throw UnreadableColumn(name: "time") }
            let version = try (row.column(5) as Int64?).map { DataVersion.ID(number: $0) }
            return (try row.column(0), time, try row.column(1), version)
        }
    }

    private static func place(_: Reading) -> (Row) throws -> (Int64, Interned<Place>) {
        { row in
            var place = Place()
            for (index, field) in RecordKeeping.Record.Field.ofPlace.enumerated() {
                switch field.storage {
                case .place(let path): place[keyPath: path] = try row.column(index + 1)
                case .offset: place.offset = try row.column(index + 1)
                default: preconditionFailure("\(field) is not a field of a place")
                }
            }
            return (try row.column(0), Interned(place))
        }
    }

    private static func network(_: Reading) -> (Row) throws -> (Int64, Interned<Network>) {
        { row in
            var network = Network()
            for (index, field) in RecordKeeping.Record.Field.ofStoredNetwork.enumerated() {
                guard case .network(let path) = field.storage else {
                    preconditionFailure("\(field) is not a string of a network")
                }
                network[keyPath: path] = try row.column(index + 1)
            }
            return (try row.column(0), Interned(network))
        }
    }
}
