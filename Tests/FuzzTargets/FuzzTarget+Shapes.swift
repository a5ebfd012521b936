import Control
import ExtremeJSON
import RecordKeeping
import Varlink

/// Targets whose input selects the changes of a sample document instead of being the document. The fuzzer thereby
/// reaches the code behind the parser, with valid JSON that has unexpected values.
extension FuzzTarget {
    // MARK: Replies

    private static let element = """
        {"query":"1.1.1.1","status":"success","message":"private range","continent":"Europe","continentCode":"EU",
        "country":"Germany","countryCode":"DE","region":"BE","regionName":"Berlin","city":"Ulm","district":"","zip":"10115",
        "lat":52.5,"lon":13.25,"timezone":"Europe/Berlin","offset":3600,"currency":"EUR","isp":"Northwater","org":" ",
        "as":"AS64496 Northwater","asname":"NORTH","reverse":"a.example","mobile":false,"proxy":true,"hosting":false}
        """
    private static let single = sample(element)
    private static let batch = sample(
        "[\(element),{\"status\":\"fail\",\"message\":\"private range\",\"query\":\"8.8.8.8\"},\(element)]")

    /// Derives a provider's reply. The first four bytes select endpoint, status and headers, as in `testReply`.
    static func testReplyShape(_ input: [UInt8]) throws {
        guard input.count >= 4 else { return }
        var mutator = DocumentMutator(choices: input.dropFirst(4))
        let document = mutator.document(like: input[0] % 2 == 0 ? batch : single)
        try testReply(input.prefix(4) + Array(document.text.utf8))
    }

    // MARK: Calls

    private static let samples = ([CallSamples.monitor] + CallSamples.all).map(sample)

    /// Limit of a call in bytes; only the longest documents exceed it.
    private static let callLimitBytes = 16_384

    /// Derives a call. The first byte selects the method, the second the size of the pieces in which the call arrives.
    static func testCallShape(_ input: [UInt8]) throws {
        guard input.count >= 2 else { return }
        var mutator = DocumentMutator(choices: input.dropFirst(2))
        let document = mutator.document(like: samples[Int(input[0]) % samples.count])
        let message = Array(document.text.utf8)[...]
        let bytes = message + [0]
        let size = Int(input[1]) + 1
        let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
        let whole = calls(in: [bytes], limitBytes: callLimitBytes)
        let cut = calls(in: pieces, limitBytes: callLimitBytes)
        try expect(whole == cut, "in one piece: \(whole); in pieces of \(size) bytes: \(cut)")
        if message.first == UInt8(ascii: "{"), bytes.count < callLimitBytes / 2 {
            let other = calls(in: [marked(message) + [0]], limitBytes: callLimitBytes)
            try expect(whole == other, "alone: \(whole); with an unknown member: \(other)")
        }
        try serve(bytes)
    }

    /// Passes the call to a keeper, and answers its effects as the shells would.
    private static func serve(_ bytes: ArraySlice<UInt8>) throws {
        var conversation = ServerConversation(limitBytes: callLimitBytes)
        conversation.receive(bytes)
        // Invalid calls were compared above.
        guard let call = try? conversation.next(), let body = try? Request.Body(call) else { return }
        let now = Instant(boot: BootTime(nanoseconds: 1_000_000_000), wall: WallTime(milliseconds: 1_800_000_000_000))
        let id = Request.ID(peer: PeerID(number: 1), number: 1)
        let key = EntryKey(id: EntryID(number: 1), address: IPAddress(v4: 0x0A00_0001))
        var keeper = Keeper(settings: Settings(), seed: 1, startedAt: now)
        var events: [Event] = [
            .restoring([SavedEntry(key, Entry(watch: Watch(byClient: true)), cohort: nil)], of: 1),
            .restored(Restored(lastSeq: 3, oldestSeq: 1, lastEntry: key.id)),
            .requested(Request(id: id, isByAdministrator: true, body: body)),
        ]
        var handled = 0
        while handled < events.count, handled < maxEvents {
            for effect in keeper.handle(events[handled], at: now) {
                switch effect {
                case .commit(let commit): events.append(.committed(commit.id))
                case .readChanges(let id, _): events.append(.changesRead(id, ChangePage([])))
                case .readOutages(let id, _, _): events.append(.outagesRead(id, []))
                case .readEvents(let id, _, _): events.append(.eventsRead(id, EventPage([], seqs: nil)))
                case .resume(let id): events.append(.resumed(id))
                case .readLists(let id, let isForced, let isPreview):
                    let reading = ListReading([], for: id, isForced: isForced, isPreview: isPreview)
                    events.append(.listsRead(reading))
                case .scheduleTurn: events.append(.turnBegan)
                default: continue
                }
            }
            handled += 1
        }
        try expect(handled == events.count, "\(body) did not complete within \(handled) events")
    }

    /// Maximum number of events; a request takes a handful.
    private static let maxEvents = 100

    private static func sample(_ text: String) -> JSONNode {
        do {
            return try JSONNode(text)
        } catch {
            preconditionFailure("not valid JSON: \(text)")
        }
    }
}
