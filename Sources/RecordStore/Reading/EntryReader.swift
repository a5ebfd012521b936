import GRDB
import GRDBSQLite
import NIOConcurrencyHelpers
import RecordKeeping
import StoredValues

/// Reads entries with their records into memory.
///
/// There may be millions of entries to read at startup, so columns are read directly from SQLite's memory, and values
/// that many entries share are created once.
struct EntryReader {
    private let times: SavedTimes
    private let referred: ReferredRows
    private let knownLabels: SharedValueCache<WatchLabel>
    /// Rows that were skipped because they cannot be decoded.
    private(set) var unreadable: [Store.UnreadableRow] = []
    /// The entries that cannot be read, if their addresses can.
    private(set) var unreadableEntries: [EntryKey] = []
    /// The number of entries that were read.
    private(set) var count = 0
    /// The rows to which records refer, including rows that are missing and records that cannot be read.
    private(set) var usedScans: Set<Int64> = []
    private(set) var usedPlaces: Set<Int64> = []
    private(set) var usedNetworks: Set<Int64> = []

    private var labels = InternCache<WatchLabel>(maximum: 1 << 12)
    /// A buffer for the cache key of a label.
    private var key: [UInt8] = []

    /// - Parameter labels: the labels that the readers share.
    init(times: SavedTimes, _ referred: ReferredRows, labels: SharedValueCache<WatchLabel>) {
        self.times = times
        self.referred = referred
        knownLabels = labels
    }

    /// Reads all entries, in ascending or descending order of their ids. Two readers, one for each order, divide the
    /// entries between them in shares, until no shares are left.
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
        var key: EntryKey?
        do {
            try noteReferences(of: row)
            let address =
                try row.text(.address).flatMap { IPAddress(plain: $0) }
                ?? IPAddress(try row.required(.address) as String)
            let known = EntryKey(id: EntryID(number: row.id), address: address)
            key = known
            var entry = try unscanned(row)
            do {
                let omissions: [FieldChange] =
                    try (row.value(.omissions) as String?).map { try JSONColumn.value(from: $0) } ?? []
                let found = try scan(row)
                entry.scan = found?.scan
                entry.omissions = omissions
                return SavedEntry(known, entry, cohort: found?.cohort)
            } catch {
                // Keep the address watched; its record is fetched again.
                unreadable.append(.init(table: "record", key: row.key(.address), reason: "\(error)"))
            }
            return SavedEntry(known, entry, cohort: nil)
        } catch {
            unreadable.append(.init(table: "entry", key: row.key(.address), reason: "\(error)"))
            if let key { unreadableEntries.append(key) }
            return nil
        }
    }

    /// Notes the rows to which the record refers, before it is decoded.
    private mutating func noteReferences(of row: EntryColumns) throws {
        if let scan: Int64 = try row.value(.scan) { usedScans.insert(scan) }
        if let place: Int64 = try row.value(.place) { usedPlaces.insert(place) }
        if let network: Int64 = try row.value(.network) { usedNetworks.insert(network) }
    }

    /// Returns the entry without its record.
    private mutating func unscanned(_ row: EntryColumns) throws -> Entry {
        var entry = Entry()
        if try row.required(.watched) {
            let (byClient, file): (Bool, Int64) = (try row.required(.byClient), try row.required(.byFile))
            entry.watch = Watch(
                byClient: byClient, byFile: file != 0,
                overrides: Watch.overrides(inFileColumn: file),
                isPinned: try row.required(.pinned), end: byClient ? try end(row) : nil, label: try label(row))
        }
        entry.changedAt = times.wall(try row.value(.changedAt))
        if let kind: String = try row.value(.failureKind) {
            entry.failure = times.failure(
                kind: kind, message: try row.value(.failureMessage), attempts: try row.value(.failureAttempts),
                at: try instant(row, .failureAt, .failureBootTime, .failureBoot))
        }
        return entry
    }

    /// Returns the end of a watch; nil if one of its times is damaged, because a wrong end must not delete the entry.
    /// SQLite reads a damaged time as 0.
    private func end(_ row: EntryColumns) throws -> WatchEnd? {
        guard let until = times.wall(try row.value(.watchedUntil)), until.milliseconds > 0,
            let elapsed: Int64 = try row.value(.watchedUntilElapsed), Self.elapsedEnds.contains(elapsed)
        else { return nil }
        return WatchEnd(until: until, elapsed: .milliseconds(elapsed))
    }

    /// The valid range for the end of a watch on the retention clock, in milliseconds: the time from any moment to the
    /// end of times, on a clock that has run for up to as long.
    private static let elapsedEnds = 1...2 * Limits.endOfTimes.milliseconds

    private mutating func label(_ row: EntryColumns) throws -> Interned<WatchLabel>? {
        guard !row.isNull(.tags) || !row.isNull(.note) else { return nil }
        row.labelKey(into: &key)
        let label = try labels.value(of: key) {
            knownLabels.kept(
                WatchLabel(
                    tags: try (row.value(.tags) as String?).map { try JSONColumn.value(from: $0) } ?? [],
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

    private mutating func scan(_ row: EntryColumns) throws -> (cohort: CohortID, scan: Scan)? {
        guard !row.isNull(.recordID) else { return nil }
        let id: Int64 = try row.required(.scan)
        guard let scan = referred.scans[id] else { throw UnreadableColumn(name: "scan") }
        let answer: Answer
        if let reason: String = try row.value(.emptyReason) {
            answer = .empty(reason: reason)
        } else {
            answer = .record(try record(row))
        }
        return (
            CohortID(number: id),
            Scan(answer: answer, at: scan.time, provider: scan.provider, version: scan.version)
        )
    }

    private mutating func record(_ row: EntryColumns) throws -> RecordKeeping.Record {
        let (placeID, networkID): (Int64, Int64) = (try row.required(.place), try row.required(.network))
        guard let place = referred.places[placeID] else { throw UnreadableColumn(name: "place") }
        guard let network = referred.networks[networkID] else { throw UnreadableColumn(name: "network") }
        var record = RecordKeeping.Record(place: place, network: network)
        record.lat = Self.degrees(try row.value(.lat), within: 90)
        record.lon = Self.degrees(try row.value(.lon), within: 180)
        record.texts = try texts(row)
        record.mobile = try row.value(.mobile)
        record.proxy = try row.value(.proxy)
        record.hosting = try row.value(.hosting)
        return record
    }

    private func texts(_ row: EntryColumns) throws -> OwnTexts {
        if let zip = row.textOrNone(.zip), let reverse = row.textOrNone(.reverse),
            let texts = OwnTexts(asciiZip: zip, reverse: reverse)
        {
            return texts
        }
        let zip: String? = try row.value(.zip)
        guard zip.map({ $0.utf8.count <= OwnTexts.maxZipBytes }) ?? true else { throw UnreadableColumn(name: "zip") }
        return OwnTexts(zip: zip, reverse: try row.value(.reverse))
    }

    private static func degrees(_ number: Double?, within bound: Double) -> Double? {
        number.flatMap { abs($0) <= bound ? $0 : nil }
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
