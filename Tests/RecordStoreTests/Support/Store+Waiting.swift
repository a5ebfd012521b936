import RecordKeeping
import Synchronization
import Testing

@testable import RecordStore

/// The methods of the store with callbacks, as async functions.
extension Store {
    func commit(_ writes: [Commit.Write], bootID: String = Sample.bootID) async throws {
        try await withCheckedContinuation { continuation in
            commit(Commit(id: .init(number: 1), writes: writes), bootID: bootID) { continuation.resume(returning: $0) }
        }.get()
    }

    func eventPage(after: Int64, limit: Int = .max) async throws -> EventPage {
        try await withCheckedContinuation { continuation in
            events(after: after, limit: limit) { continuation.resume(returning: $0) }
        }.get()
    }

    func events(after: Int64, limit: Int = .max) async throws -> [PublishedEvent] {
        try await eventPage(after: after, limit: limit).events
    }

    /// Returns all kept events, including those after a gap, at which a page ends.
    func eventsAcrossGaps() async throws -> [PublishedEvent] {
        var events: [PublishedEvent] = []
        var page = try await eventPage(after: 0)
        while let last = page.seqs?.upperBound {
            events += page.events
            page = try await eventPage(after: last)
        }
        return events
    }

    func events(of name: HostName, before: Int64? = nil, limit: Int = .max) async throws -> [PublishedEvent] {
        try await withCheckedContinuation { continuation in
            events(of: name, before: before, limit: limit) { continuation.resume(returning: $0) }
        }.get()
    }

    func changes(_ query: ChangeQuery) async throws -> ChangePage {
        try await withCheckedContinuation { continuation in
            changes(query) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Returns the changes of all pages.
    func allChanges(_ query: ChangeQuery) async throws -> [PublishedEvent] {
        var (query, events) = (query, [PublishedEvent]())
        repeat {
            let page = try await changes(query)
            events += page.events
            query.before = page.next
        } while query.before != nil
        return events
    }

    func changes(of address: IPAddress, before: Int64? = nil, limit: Int = 1_000) async throws -> [PublishedEvent] {
        try await changes(ChangeQuery(addresses: [address], before: before, limit: limit)).events
    }

    func outages(before: WallTime? = nil, limit: Int = .max) async throws -> [Outage] {
        try await withCheckedContinuation { continuation in
            outages(before: before, limit: limit) { continuation.resume(returning: $0) }
        }.get()
    }

    func backUp(keeping limit: Int, at now: WallTime) async throws -> Backup? {
        try await withCheckedContinuation { continuation in
            backUp(keeping: limit, at: now) { continuation.resume(returning: $0) }
        }.get()
    }

    /// Returns what a start in the current boot would restore.
    func restored(at now: Instant = Sample.now, bootID: String = Sample.bootID) throws -> Found {
        try restore(at: now, bootID: bootID).restored
    }

    func restore(at now: Instant, bootID: String) throws -> (restored: Found, unreadable: [UnreadableRow]) {
        let taken = Taken()
        let (rest, count, unreadable) = try restore(at: now, bootID: bootID) { some, all in
            taken.entries.withLock { entries in
                #expect(!some.isEmpty && entries.count + some.count <= all)
                entries += some
            }
        }
        let entries = taken.entries.withLock { $0 }
        #expect(count == entries.count)
        return (Found(entries: entries, rest: rest), unreadable)
    }
}

private final class Taken: Sendable {
    let entries = Mutex<[SavedEntry]>([])
}

/// The result of a restore, with all entries.
@dynamicMemberLookup struct Found {
    var entries: [SavedEntry]
    var rest: Restored

    subscript<Value>(dynamicMember path: KeyPath<Restored, Value>) -> Value { rest[keyPath: path] }

    var byAddress: [IPAddress: Entry] {
        Dictionary(entries.map { ($0.key.address, $0.entry) }) { first, _ in first }
    }
}
