import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct TopEventTests {
    private static func event(_ kind: String, _ address: String, after milliseconds: Int64 = 0) throws
        -> Interface.Event
    {
        var event = try Sample.event(.refreshed, address: address)
        (event.kind, event.at) = (kind, Sample.now + milliseconds)
        return event
    }

    /// The lines that a model makes of events.
    private static func lines(_ events: [Interface.Event]) -> [String] {
        var model = TopModel(size: .usual)
        for event in events { model.take(event) }
        return model.events.map { $0.sentence(at: Sample.now) }
    }

    @Test func `new records that come one after the other are one line, and what lies between has its own`() throws {
        let lines = Self.lines([
            try Self.event("refreshed", "192.0.2.1"), try Self.event("refreshed", "192.0.2.2"),
            try Self.event("added", "192.0.2.3"), try Self.event("added", "192.0.2.4"),
            try Self.event("refreshed", "192.0.2.5"),
        ])
        #expect(
            lines == [
                "2 addresses have new records; the last: 192.0.2.2 has a new record", "192.0.2.3 is watched now",
                "192.0.2.4 is watched now", "192.0.2.5 has a new record",
            ])
    }

    @Test func `a line tells of ten seconds at most`() throws {
        let events = try stride(from: Int64(0), through: 20_000, by: 1_000).map {
            try Self.event("refreshed", "192.0.2.1", after: $0)
        }
        #expect(Self.lines(events).map { $0.prefix(3) } == ["10 ", "10 ", "192"])
    }

    @Test func `a clock that was set back begins a new line`() throws {
        let events = [
            try Self.event("refreshed", "192.0.2.1"), try Self.event("refreshed", "192.0.2.2", after: -3_600_000),
        ]
        #expect(Self.lines(events).count == 2)
    }
}
