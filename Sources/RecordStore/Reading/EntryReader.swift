import GRDB
import GRDBSQLite
import NIOConcurrencyHelpers
import RecordKeeping

/// Reads entries with their records into memory.
///
/// There may be millions of entries to read at startup, so columns are read directly from SQLite's memory, and values
/// that many entries share are created once.
struct EntryReader {
    private let times: SavedTimes
    private let known: SharedValues
    /// Rows that were skipped because they cannot be decoded.
    private(set) var unreadable: [Store.UnreadableRow] = []
    /// The number of entries that were read.
    private(set) var count = 0

    private var labels = InternCache<WatchLabel>(maximum: 1 << 12)
    private var places = InternCache<Place>(maximum: 1 << 14)
    private var networks = InternCache<Network>(maximum: 1 << 14)
    /// A buffer for the cache key of a label, a place or a network.
    private var key: [UInt8] = []

    init(times: SavedTimes, known: SharedValues) {
        self.times = times
        self.known = known
    }

    /// Reads all entries, in ascending or descending order of their addresses. Two readers, one for each order, divide
    /// the entries between them in shares, until no shares are left.
    ///
    /// - Parameter receive: receives the entries of a share, and the total number of entries.
    mutating func read(
        _ database: Database, _ order: EntryColumns.Order, sharing shares: EntryShares,
        receive: ([SavedEntry], _ of: Int) -> Void
    ) throws {
        let row = try EntryColumns(database, order)
        while let share = shares.next() {
            var some: [SavedEntry] = []
            some.reserveCapacity(share)
            for _ in 0..<share {
                guard try row.next() else { break }
                if let entry = entry(row) { some.append(entry) }
            }
            count += some.count
            if !some.isEmpty { receive(some, shares.all) }
        }
    }

    private mutating func entry(_ row: EntryColumns) -> SavedEntry? {
        do {
            var entry = try unscanned(row)
            let address =
                try row.text(.address).flatMap { IPAddress(plain: $0) }
                ?? IPAddress(try row.required(.address) as String)
            do {
                let omissions: [FieldChange] =
                    try (row.value(.omissions) as String?).map { try JSON.value(from: $0) } ?? []
                entry.scan = try scan(row)
                entry.omissions = omissions
            } catch {
                // Keep the address watched; its record is fetched again.
                unreadable.append(.init(table: "record", key: row.key(.address), reason: "\(error)"))
            }
            return SavedEntry(address, entry)
        } catch {
            unreadable.append(.init(table: "entry", key: row.key(.address), reason: "\(error)"))
            return nil
        }
    }

    /// Returns the entry without its record.
    private mutating func unscanned(_ row: EntryColumns) throws -> Entry {
        var entry = Entry()
        if try row.required(.watched) {
            let file: Int64 = try row.required(.byFile)
            entry.watch = Watch(
                byClient: try row.required(.byClient), byFile: file != 0,
                overrides: Watch.overrides(inFileColumn: file),
                isPinned: try row.required(.pinned), label: try label(row))
        }
        entry.changedAt = times.wall(try row.value(.changedAt))
        if let kind: String = try row.value(.failureKind) {
            entry.failure = times.failure(
                kind: kind, message: try row.value(.failureMessage), attempts: try row.value(.failureAttempts),
                at: try instant(row, .failureAt, .failureBootTime, .failureBoot))
        }
        return entry
    }

    private mutating func label(_ row: EntryColumns) throws -> Interned<WatchLabel>? {
        guard !row.isNull(.tags) || !row.isNull(.note) else { return nil }
        row.key(of: EntryColumns.Column.tags.rawValue...EntryColumns.Column.note.rawValue, into: &key)
        let label = try labels.value(of: key) {
            known.labels.kept(
                WatchLabel(
                    tags: try (row.value(.tags) as String?).map { try JSON.value(from: $0) } ?? [],
                    note: try row.value(.note)))
        }
        return label.value.tags.isEmpty && label.value.note == nil ? nil : label
    }

    private func instant(
        _ row: EntryColumns, _ wall: EntryColumns.Column, _ bootTime: EntryColumns.Column,
        _ boot: EntryColumns.Column
    ) throws -> Instant? {
        times.instant(
            milliseconds: try row.value(wall), bootTime: try row.value(bootTime), boot: try row.value(boot))
    }

    private mutating func scan(_ row: EntryColumns) throws -> Scan? {
        guard let provider: String = try row.value(.provider) else { return nil }
        guard let at = try instant(row, .scannedAt, .scannedBootTime, .scannedBoot) else {
            throw UnreadableColumn(name: "time")
        }
        let answer: Answer
        if let reason: String = try row.value(.emptyReason) {
            answer = .empty(reason: reason)
        } else {
            answer = .record(try record(row))
        }
        return Scan(answer: answer, at: at, provider: provider)
    }

    private mutating func record(_ row: EntryColumns) throws -> RecordKeeping.Record {
        row.key(of: EntryColumns.placeColumns, into: &key)
        let place = try places.value(of: key) { known.places.kept(try Self.place(row)) }
        row.key(of: EntryColumns.networkColumns, into: &key)
        let network = try networks.value(of: key) { known.networks.kept(try Self.network(row)) }
        var record = RecordKeeping.Record(place: place, network: network)
        record.lat = Self.degrees(try row.value(.lat), within: 90)
        record.lon = Self.degrees(try row.value(.lon), within: 180)
        if let name = row.text(.reverse).flatMap({ CompactText(ascii: $0) }) {
            record.reverseName = name
        } else {
            record.reverse = try row.value(.reverse)
        }
        record.mobile = try row.value(.mobile)
        record.proxy = try row.value(.proxy)
        record.hosting = try row.value(.hosting)
        return record
    }

    private static func degrees(_ number: Double?, within bound: Double) -> Double? {
        number.flatMap { abs($0) <= bound ? $0 : nil }
    }

    private static func place(_ row: EntryColumns) throws -> Place {
        var place = Place()
        for (field, column) in zip(EntryColumns.placeFields, EntryColumns.placeColumns) {
            switch field.storage {
            case .place(let path): place[keyPath: path] = try row.value(at: column)
            case .offset: place.offset = try row.value(at: column)
            default: preconditionFailure("\(field) is not a field of a place")
            }
        }
        return place
    }

    private static func network(_ row: EntryColumns) throws -> Network {
        var network = Network()
        for (field, column) in zip(EntryColumns.networkFields, EntryColumns.networkColumns) {
            guard case .network(let path) = field.storage else {
                preconditionFailure("\(field) is not a string of a network")
            }
            network[keyPath: path] = try row.value(at: column)
        }
        return network
    }
}

/// Divides the entries between two readers, which start at opposite ends. A reader that has finished a share gets the
/// next share, until the readers meet.
final class EntryShares: Sendable {
    let all: Int
    private let left: NIOLockedValueBox<Int>

    /// The number of entries in a share.
    private static let share = 4_096

    /// - Parameter all: the number of entries.
    init(of all: Int) {
        self.all = all
        left = NIOLockedValueBox(all)
    }

    /// Whether there are enough entries for two readers.
    var isLarge: Bool { all > Self.share }

    /// Stops the other reader after a reader has failed.
    func end() {
        left.withLockedValue { $0 = 0 }
    }

    /// - Returns: the number of entries to read next; nil if none are left.
    func next() -> Int? {
        left.withLockedValue { left in
            let share = min(left, Self.share)
            left -= share
            return share > 0 ? share : nil
        }
    }
}

/// The values that entries share, with one copy of each for both readers.
final class SharedValues: Sendable {
    let labels = SharedValueCache<WatchLabel>()
    let places = SharedValueCache<Place>()
    let networks = SharedValueCache<Network>()
}

/// The shared values of one kind, at most 100,000. Thread-safe.
final class SharedValueCache<Value: Internable>: Sendable {
    private let known = NIOLockedValueBox<[Value: Interned<Value>]>([:])

    /// Maximum number of distinct values; in lists with more distinct values, entries share few of them.
    private static var maximum: Int { 100_000 }

    /// - Returns: the first copy of this value, or a new copy if the bytes of the value differ from those of the first.
    func kept(_ value: Value) -> Interned<Value> {
        known.withLockedValue { known in
            let first = known[value]
            if let first, first.value.isExactly(value) { return first }
            let kept = Interned(value)
            if first == nil, known.count < Self.maximum { known[value] = kept }
            return kept
        }
    }
}
