import Fleet
import RecordKeeping
import Testing

@testable import FleetBridge

struct JournalBodyTests {
    @Test func `a decoded body has the shared writes of the commit`() throws {
        for seed in 0..<500 {
            var values = RandomValues(seed: UInt64(seed))
            let writes = values.writes()
            let bytes = try JournalBody(writes).encoded()
            let decoded = try JournalBody(decoding: bytes)
            #expect(decoded.writes == writes.compactMap(\.shared), "seed \(seed)")
            // Equal strings may have different bytes, so the values alone prove nothing about them.
            #expect(try decoded.encoded() == bytes, "seed \(seed)")
        }
    }

    @Test func `writes of the host are left out`() {
        let (instant, mark) = (Instant.test, HistoryMark(elapsed: .seconds(1), seq: 2, outage: 3))
        let ofHost: [Commit.Write] = [
            .forgetHistory(through: mark), .historyMark(mark),
            .historyClock(SavedHistoryClock(elapsed: .seconds(1), at: instant)), .alertsLogged(through: 4),
            .networkLoss(nil), .networkLoss(SavedLoss(since: instant.wall, reason: "no route")),
            .outage(Outage(number: 1, since: instant.wall, cause: .network, message: "no route", deferred: 2)),
            .event(PublishedEvent(seq: 5, at: instant.wall, kind: .networkLost)),
            .event(PublishedEvent(seq: 6, at: instant.wall, kind: .networkRestored)),
        ]
        #expect(JournalBody(ofHost).writes.isEmpty)
        #expect(ofHost.allSatisfy { $0.isOfHost && $0.shared == nil })
    }

    @Test func `numbers and clocks of one host are removed from shared writes`() throws {
        let (wall, key) = (Instant.test.wall, EntryKey(id: EntryID(number: 1), address: IPAddress(v4: 1)))
        let end = WatchEnd(until: wall, elapsed: .seconds(77))
        let scan = Scan(answer: .empty(reason: "reserved range"), at: .test, provider: "ip-api.com")
        let body = JournalBody([
            .event(PublishedEvent(seq: 5, at: wall, kind: .throttled)),
            .outage(Outage(number: 9, since: wall, cause: .provider, message: "x", deferred: 2)),
            .put(key, Entry(watch: Watch(byClient: true, end: end), scan: scan), cohort: nil),
        ])
        let sharedEnd = WatchEnd(until: wall, elapsed: .zero)
        #expect(
            body.writes == [
                .event(PublishedEvent(seq: nil, at: wall, kind: .throttled)),
                .outage(Outage(number: 0, since: wall, cause: .provider, message: "x", deferred: 2)),
                .put(key, Entry(watch: Watch(byClient: true, end: sharedEnd)), cohort: nil),
            ])
    }

    @Test func `an event of a host's route is not decoded`() throws {
        var bytes = try JournalBody([.event(PublishedEvent(seq: 1, at: Instant.test.wall, kind: .throttled))]).encoded()
        let index = try #require(bytes.lastIndex(of: PublishedEvent.Kind.throttled.code))
        bytes[index] = PublishedEvent.Kind.networkLost.code
        #expect(throws: BodyError.unknownCode(7, of: "event")) { try JournalBody(decoding: bytes) }
    }

    @Test func `times, durations and counts out of range are clamped`() throws {
        let (boot, wall) = (BootTime(nanoseconds: .max), WallTime(milliseconds: .min))
        let window = SavedWindow(
            provider: nil, endpoint: .batch, limit: .max, remaining: .min, resetsAt: Instant(boot: boot, wall: wall),
            length: .seconds(Int64.max))
        let clamped = SavedWindow(
            provider: nil, endpoint: .batch, limit: 1 << 53, remaining: -1 << 53,
            resetsAt: Instant(
                boot: BootTime(nanoseconds: 1 << 61),
                wall: WallTime(milliseconds: -Limits.endOfTimes.milliseconds)),
            length: .nanoseconds(1 << 61))
        let decoded = try JournalBody(decoding: JournalBody([.window(window)]).encoded())
        #expect(decoded.writes == [.window(clamped)])
    }

    @Test func `canonically equivalent texts keep their bytes`() throws {
        let labels = ["Zürich", "Zu\u{308}rich"].map { Watch(byClient: true, tags: [$0]) }
        let writes = labels.enumerated().map { index, watch in
            Commit.Write.put(
                EntryKey(id: EntryID(number: Int64(index)), address: IPAddress(v4: 1)), Entry(watch: watch), cohort: nil
            )
        }
        let decoded = try JournalBody(decoding: JournalBody(writes).encoded())
        let texts = decoded.writes.compactMap { write -> [UInt8]? in
            if case .put(_, let entry, _) = write { entry.watch?.tags.first.map { Array($0.utf8) } } else { nil }
        }
        #expect(texts == [Array("Zürich".utf8), Array("Zu\u{308}rich".utf8)])
    }

    @Test func `records of one place share its copy after decoding`() throws {
        let body = try JournalBody(decoding: JournalBody(Samples.changedRecords(2)).encoded())
        let places = body.writes.compactMap { write -> Interned<Place>? in
            if case .put(_, let entry, _) = write { entry.scan?.answer.record?.place } else { nil }
        }
        #expect(places.count == 2 && places[0].isSame(as: places[1]))
    }

    @Test func `a row of another encoding is not decoded`() throws {
        let body = try JournalBody([.hasFileEntries(true)]).encoded()
        #expect(try Samples.row(body, encoding: 1).decodedBody().writes == [.hasFileEntries(true)])
        #expect(throws: BodyError.unknownVersion(2)) { try Samples.row(body, encoding: 2).decodedBody() }
        #expect(throws: BodyError.unknownVersion(2)) {
            try Samples.row([2] + body.dropFirst(), encoding: 1).decodedBody()
        }
    }

    @Test func `a body with too many writes or bytes is not encoded`() {
        let many = Array(repeating: Commit.Write.hasFileEntries(true), count: BodyLimits.maxWrites + 1)
        #expect(
            throws: BodyError.tooLarge(BodyLimits.maxWrites + 1, limit: BodyLimits.maxWrites, of: "writes")
        ) { try JournalBody(many).encoded() }
        let long = Outage(
            number: 0, since: Instant.test.wall, cause: .provider,
            message: String(repeating: "x", count: BodyLimits.maxBytes), deferred: 0)
        #expect(throws: BodyError.self) { try JournalBody([.outage(long)]).encoded() }
        #expect(throws: BodyError.self) {
            try JournalBody(decoding: Array(repeating: 1, count: BodyLimits.maxBytes + 1))
        }
    }
}
