import Foundation
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// No number in any column crashes the program, whatever the core computes with it.
@Suite(.timeLimit(.minutes(20))) struct ExtremeValueTests {
    private static let numbers: [Int64] = [.min, -1, .max / 2 + 1, .max]

    /// Returns a database with at least one row in each table.
    private static func database() async throws -> Data {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        var entry = Sample.entry()
        entry.changedAt = Sample.now.wall
        entry.failure = Failure(kind: .timeout, message: "late", at: Sample.now, attempts: 2)
        let writes = Sample.writes(address, entry)
        try await folder.withStore { (store) async throws in
            try await store.commit(writes)
            try await store.commit([
                .event(Sample.event(1, .failed)), .event(Sample.change(2, of: address)),
                .networkLoss(SavedLoss(since: Sample.now.wall, reason: "none")),
                .window(
                    SavedWindow(
                        provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 3, outstanding: 1,
                        resetsAt: Sample.now, length: .seconds(60), margin: .seconds(1))),
                .health(
                    SavedHealth(
                        provider: "http://ip-api.com", endpoint: .batch, state: .failing, since: Sample.now.wall,
                        failure: entry.failure,
                        retryAt: Sample.now)),
                .outage(
                    Outage(
                        number: 1, since: Sample.now.wall, until: nil, cause: .network, message: "none", deferred: 3)),
                .historyMark(HistoryMark(elapsed: .seconds(9), seq: 2, outage: 0)), .alertsLogged(through: 1),
                .hasFileEntries(true),
                .historyClock(SavedHistoryClock(elapsed: .seconds(10), at: Sample.now)),
            ])
        }
        return try Data(contentsOf: URL(filePath: folder.database))
    }

    /// Starts a core with the content of the store, sends it events whose handling uses these values, replies to its
    /// calls, and commits its writes.
    private static func live(_ store: Store, bootID: String) async throws {
        let (restored, _) = try store.restore(at: Sample.now, bootID: bootID)
        var now = Sample.now
        var keeper = Keeper(
            settings: Settings(providerEndpoint: "http://ip-api.com", documentedLimits: [:]), seed: 1, startedAt: now)
        var epoch = 0
        var requests: UInt64 = 0
        var calls: [Call] = []
        func handle(_ event: Event) async throws {
            var effects = keeper.handle(event, at: now)
            while !effects.isEmpty {
                var more: [Effect] = []
                for effect in effects {
                    switch effect {
                    case .commit(let commit):
                        try await store.commit(commit.writes, bootID: bootID)
                        more += keeper.handle(.committed(commit.id), at: now)
                    case .checkRoute(let asked, _): epoch = asked
                    case .call(let call): calls.append(call)
                    default: break
                    }
                }
                effects = more
            }
        }
        func ask(_ body: Request.Body) async throws {
            requests += 1
            let id = Request.ID(peer: PeerID(number: 1), number: requests)
            try await handle(.requested(Request(id: id, isByAdministrator: true, body: body)))
        }
        func reply() async throws {
            // A record with a place and a network that are not stored yet.
            var record = RecordKeeping.Record()
            (record.city, record.isp) = ("Ulm \(now.boot.nanoseconds)", "Net \(now.boot.nanoseconds)")
            let answer = ElementAnswer.answered(.record(record))
            while let call = calls.popLast() {
                let reply = Reply(
                    sentAt: now, answers: Dictionary(uniqueKeysWithValues: call.addresses.map { ($0, answer) }),
                    quota: ReportedQuota(remaining: nil, resetsIn: nil))
                try await handle(.replied(call.id, reply))
            }
        }
        try await handle(.restoring(restored.entries, of: restored.entries.count))
        try await handle(.restored(restored.rest))
        try await handle(.resolved([]))
        let address = try Sample.address(1)
        try await ask(.add([try Sample.address(3)], tags: [], note: nil))
        for status in [RouteStatus.none(reason: "no route"), .open, .none(reason: "no route"), .open] {
            try await handle(.routeChecked(epoch: epoch, status))
            try await ask(.show([address, try Sample.address(2)], wait: .zero))
            _ = keeper.status(at: now)
            now = now.advanced(by: .seconds(400))
            try await handle(.deadlineReached)
            try await reply()
            try await handle(.routesChanged)
            now = now.advanced(by: .seconds(1))
            try await handle(.deadlineReached)
            try await reply()
        }
        let stored = try store.restored(at: now, bootID: bootID).byAddress
        #expect(stored[try Sample.address(3)]?.watch != nil, "an added address is stored")
        try await ask(.outages(before: nil, limit: 10))
        let outages = try await store.outages(before: nil, limit: 10)
        try await handle(.outagesRead(Request.ID(peer: PeerID(number: 1), number: requests), outages))
        let page = try await store.eventPage(after: 0, limit: 10)
        #expect(page.events.count <= 10)
    }

    private static let columns: [(table: String, columns: [String])] = [
        ("entry", ["watched", "by_client", "by_file", "pinned", "changed_at", "failure_attempts", "failure_at"]),
        ("entry", ["id", "failure_boot_ns", "failure_boot"]),
        ("record", ["id", "scan", "place", "network", "lat", "lon", "mobile", "proxy"]),
        ("scan", ["id", "at", "boot_ns", "boot"]), ("place", ["id", "utc_offset"]), ("network", ["id"]),
        ("notice", ["seq", "at"]), ("change", ["seq", "at"]),
        ("outage", ["number", "since", "until", "deferred"]),
        ("quota_window", ["quota", "remaining", "under_way", "length", "resets_at", "resets_boot_ns", "resets_boot"]),
        ("quota_window", ["margin"]),
        (
            "endpoint_health",
            ["since", "failure_attempts", "failure_at", "failure_boot_ns", "failure_boot", "retry_at"]
        ),
        ("endpoint_health", ["retry_boot_ns", "retry_boot"]),
        ("network_loss", ["since"]), ("history_mark", ["elapsed", "seq", "outage"]), ("meta", ["value"]),
    ]

    @Test(arguments: columns.flatMap { table in table.columns.map { "\(table.table).\($0)" } })
    func `the core runs and its commits succeed whatever number a column has`(name: String) async throws {
        let parts = name.split(separator: ".").map(String.init)
        let intact = try await Self.database()
        for number in Self.numbers {
            for bootID in [Sample.bootID, Sample.otherBootID] {
                let folder = try TemporaryFolder()
                try intact.write(to: URL(filePath: folder.database))
                let rows =
                    parts[0] == "meta"
                    ? ["last_seq", "logged_seq", "changes", "history_elapsed", "history_boot_ns"] : [""]
                for row in rows {
                    let which = row.isEmpty ? "" : " WHERE name = '\(row)'"
                    // If the column is the key, only one row is changed.
                    try SQLite(folder.database).run(
                        "PRAGMA foreign_keys = OFF; UPDATE OR IGNORE \(parts[0]) SET \(parts[1]) = \(number)\(which)")
                    try await folder.withStore { (store) async throws in
                        do {
                            try await Self.live(store, bootID: bootID)
                        } catch {
                            Issue.record("\(name) = \(number) \(row): \(error)")
                        }
                    }
                }
            }
        }
    }
}
