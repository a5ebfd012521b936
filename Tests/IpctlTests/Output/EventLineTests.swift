import Control
import Testing

@testable import RecordKeeping
@testable import ipctl

@Suite struct EventLineTests {
    private static func line(_ event: Interface.Event) -> String {
        EventLine(event: event, now: Sample.now).line(on: .pipe)
    }

    private static let time = Times.clock(Sample.now, from: Sample.now)

    @Test(
        arguments: [
            (.added, "now watching 192.0.2.1"), (.removed, "no longer watching 192.0.2.1"),
            (.refreshed, "192.0.2.1 has a new record"), (.failed, "192.0.2.1 could not be scanned: why"),
            (.recovered, "192.0.2.1 can be scanned again"), (.networkLost, "network lost: why"),
            (.networkRestored, "network restored: why"), (.providerFailed, "the provider is failing: why"),
            (.providerRecovered, "the provider is answering again"), (.throttled, "throttled: why"),
            (.nameAdded, "now watching the host name www.example"),
            (.nameRemoved, "no longer watching the host name www.example"),
            (.addressAdded, "www.example has the new address 192.0.2.1"),
            (.addressRemoved, "www.example no longer has the address 192.0.2.1"),
            (.nameFailed, "www.example cannot be resolved: why"),
            (.nameRecovered, "www.example can be resolved again"),
            (.changed, "192.0.2.1 changed: provider A → B, city (none) → Berlin, postal code 10115 → (none)"),
        ] as [(PublishedEvent.Kind, String)])
    func `each kind reads like a sentence`(kind: PublishedEvent.Kind, sentence: String) throws {
        let fields = [
            FieldChange(field: "isp", old: "A", new: "B"), FieldChange(field: "city", old: nil, new: "Berlin"),
            FieldChange(field: "zip", old: "10115", new: nil),
        ]
        var event = try Sample.event(
            kind, address: sentence.contains("192") ? Sample.address : nil, fields: kind == .changed ? fields : [],
            message: sentence.hasSuffix("why") ? "why" : nil)
        if sentence.contains("www.example") { event.name = "www.example" }
        #expect(Self.line(event) == "\(Self.time)  \(sentence)")
    }

    @Test func `a change of the watch list names the user who made it`() throws {
        var event = try Sample.event(.added)
        event.user = 0
        #expect(Self.line(event) == "\(Self.time)  now watching 192.0.2.1 (by root)")
        event.kind = "removed"
        #expect(Self.line(event) == "\(Self.time)  no longer watching 192.0.2.1 (by root)")
        // No user has this id, which stands for "unchanged" in chown(2).
        event.user = .max
        #expect(Self.line(event) == "\(Self.time)  no longer watching 192.0.2.1 (by user 4294967295)")
    }

    @Test func `every kind of the interface has its own sentence`() throws {
        let sentences = try PublishedEvent.Kind.allCases.map { Self.line(try Sample.event($0)) }
        #expect(Set(sentences).count == PublishedEvent.Kind.allCases.count)
        for (kind, sentence) in zip(PublishedEvent.Kind.allCases, sentences) where kind.rawValue.contains(/[A-Z]/) {
            #expect(!sentence.contains(kind.rawValue))
        }
    }

    @Test func `a new record is shown with its place and network`() throws {
        let entry = Entry(scan: Scan(answer: .record(Sample.record), at: Sample.instant(0), provider: "p"))
        let view = EntryView(address: try IPAddress(Sample.address), state: .fresh, entry: entry)
        let event = try Sample.event(.refreshed, entry: view)
        #expect(Self.line(event) == "\(Self.time)  192.0.2.1 has a new record: Berlin, Germany, AS64500 Example")
    }

    @Test func `an unknown kind is shown unchanged`() throws {
        var event = try Sample.event(.added, message: "why")
        event.kind = "eclipsed"
        #expect(Self.line(event) == "\(Self.time)  eclipsed 192.0.2.1: why")
        event.address = nil
        #expect(Self.line(event) == "\(Self.time)  eclipsed: why")
    }

    @Test(arguments: ["batch", "single"]) func `an event about one endpoint names it, and not the provider`(
        endpoint: String
    ) throws {
        let failed = try Sample.event(.providerFailed, address: nil, message: "\(endpoint) calls fail: HTTP 503")
        #expect(Self.line(failed) == "\(Self.time)  \(endpoint) calls fail: HTTP 503")
        let recovered = try Sample.event(.providerRecovered, address: nil, message: "\(endpoint) calls succeed again")
        #expect(Self.line(recovered) == "\(Self.time)  \(endpoint) calls succeed again")
    }

    @Test func `an event of a failure has the time of the next attempt`() throws {
        var failed = try Sample.event(.failed, message: "it went wrong")
        failed.entry = try Sample.entry(.failed, failure: .malformed, nextAttempt: 30)
        #expect(
            Self.line(failed)
                == "\(Self.time)  192.0.2.1 could not be scanned: it went wrong; next try in 30 s")
    }

    @Test func `an event of another day has its date`() throws {
        let line = EventLine(event: try Sample.event(.added), now: Sample.now + 5 * 86_400_000).line(on: .pipe)
        #expect(line.contains(/^2027-01-1\d \d\d:\d\d:\d\d  now watching 192/))
    }

    @Test func `an event's text cannot change the terminal, and is one line`() throws {
        let event = try Sample.event(.providerFailed, message: "<html>\n\u{1B}[2J")
        #expect(Self.line(event) == "\(Self.time)  the provider is failing: <html>\u{FFFD}\u{FFFD}[2J")
    }

    @Test(
        arguments: [
            (.networkLost, "31"), (.providerFailed, "31"), (.failed, "31"), (.throttled, "33"),
            (.networkRestored, "32"),
            (.changed, "36"), (.refreshed, "2"),
        ] as [(PublishedEvent.Kind, String)])
    func `important events have a colour`(kind: PublishedEvent.Kind, color: String) throws {
        let line = EventLine(event: try Sample.event(kind), now: Sample.now).line(
            on: Terminal(hasColor: true, columns: nil))
        #expect(line.hasPrefix("\u{1B}[2m\(Self.time)\u{1B}[0m  \u{1B}[\(color)m"))
    }
}
