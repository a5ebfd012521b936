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

    /// Returns the lines of a model for events.
    private static func lines(_ events: [Interface.Event]) -> [String] {
        var model = TopModel(size: .fallback)
        for event in events { model.handle(event) }
        return model.events.map { $0.sentence(at: Sample.now) }
    }

    @Test func `consecutive refreshes share a line, and other events have their own`() throws {
        let lines = Self.lines([
            try Self.event("refreshed", "192.0.2.1"), try Self.event("refreshed", "192.0.2.2"),
            try Self.event("added", "192.0.2.3"), try Self.event("added", "192.0.2.4"),
            try Self.event("refreshed", "192.0.2.5"),
        ])
        #expect(
            lines == [
                "2 new records; the last: 192.0.2.2 has a new record", "now watching 192.0.2.3",
                "now watching 192.0.2.4", "192.0.2.5 has a new record",
            ])
    }

    @Test func `an address that is refreshed again within a line is counted again, as a record`() throws {
        let lines = Self.lines([
            try Self.event("refreshed", "192.0.2.1"), try Self.event("refreshed", "192.0.2.1", after: 3_000),
        ])
        #expect(lines == ["2 new records; the last: 192.0.2.1 has a new record"])
    }

    @Test func `a line covers at most ten seconds`() throws {
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
