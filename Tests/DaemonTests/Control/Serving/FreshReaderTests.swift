import Dispatch
import RecordKeeping
import Testing
import Varlink

@testable import Daemon

/// Replies of the fast path.
@Suite struct FreshReaderTests {
    private static let addresses = (1...8).map { "1.0.0.\($0)" }

    /// An engine with a fresh record of each address.
    private static func engine() throws -> Engine {
        let now = SystemClock.now
        let settings = Settings(documentedLimits: [:])
        let engine = Engine(
            executor: QueueExecutor(label: "test.engine"), keeper: Keeper(settings: settings, seed: 1, startedAt: now))
        let scan = Scan(answer: .record(Record()), at: now, provider: "test")
        let entry = Entry(watch: Watch(byClient: true), scan: scan)
        let entries = try addresses.enumerated().map { place, address in
            let key = EntryKey(id: EntryID(number: Int64(place) + 1), address: try IPAddress(address))
            return SavedEntry(key, entry, cohort: CohortID(number: 1))
        }
        engine.restore(entries, of: entries.count)
        return engine
    }

    private static func message(_ addresses: some Sequence<String>, members: String = "") -> [UInt8] {
        let parameters = #"{"addresses":\#(Array(addresses))\#(members)}"#
        return Array(#"{"method":"io.iprecord.Control.Show","parameters":\#(parameters)}"#.utf8)
    }

    /// - Returns: whether the clock reading is kept for the next message; nil if the fast path did not answer.
    private static func isKept(afterAsking count: Int, of engine: Engine) -> Bool? {
        let message = message(addresses.prefix(count))
        return engine.executor.queue.sync {
            var freshReader = FreshReader()
            var moment: Instant?
            let handling = message.withUnsafeBufferPointer {
                freshReader.reply(to: $0, at: &moment, from: engine) { _ in }
            }
            return handling == .answered ? moment != nil : nil
        }
    }

    @Test func `the clock is read once for several small queries, and again after a large one`() throws {
        let engine = try Self.engine()
        #expect(Self.isKept(afterAsking: 1, of: engine) == true)
        #expect(Self.isKept(afterAsking: 8, of: engine) == false)
    }

    @Test func `a call for an address without a fresh record becomes a request`() throws {
        let engine = try Self.engine()
        let asked = [Self.addresses[0], "2.0.0.1"]
        let request = Request.Body.show(try asked.map { try IPAddress($0) }, wait: .milliseconds(7))
        let message = Self.message(asked, members: #","wait":7"#)
        engine.executor.queue.sync {
            var freshReader = FreshReader()
            var moment: Instant?
            let handling = message.withUnsafeBufferPointer {
                freshReader.reply(to: $0, at: &moment, from: engine) { _ in }
            }
            #expect(handling == .decoded)
            #expect(freshReader.request == request)
            #expect(freshReader.bytes == 0)
        }
    }
}
