import RecordKeeping
import Testing
import Varlink

@testable import Control

/// Checks that changes, outages and kept events are written with the same bytes as by the encoder.
struct HistoryWritingTests {
    private static let texts: [String?] = [nil, "", "plain", "a \"quoted\" \\ line\n\t\u{1}", "\u{E4}\u{10348}\u{7F}/"]

    private static func event(
        _ number: Int, _ kind: PublishedEvent.Kind, fields: [FieldChange] = [], message: String? = nil
    )
        -> PublishedEvent
    {
        let address = IPAddress(v4: 0x0A00_0000 + UInt32(number))
        return PublishedEvent(
            seq: Int64(number), at: WallTime(milliseconds: 1_700_000_000_000 + Int64(number)), kind: kind,
            address: address, fields: fields, message: message)
    }

    private static var changes: [PublishedEvent] {
        texts.enumerated().flatMap { number, old in
            texts.map { event(number, .changed, fields: [FieldChange(field: "isp", old: old, new: $0)]) }
        } + [event(8, .changed), event(9, .added)]
    }

    private static func reply(_ response: Response) -> [UInt8] {
        var writing = EntryWriter()
        return OutgoingReply.message(
            response, with: &writing,
            state: StateReplies(version: "", endpoint: "") { _ in preconditionFailure("not a status reply") })
    }

    @Test func `changes`() {
        let encoded = OutgoingReply.message(History.Reply(changes: Self.changes.compactMap { Interface.Change($0) }))
        #expect(Self.reply(.changes(ChangePage(Self.changes))) == encoded)
        #expect(
            Self.reply(.changes(ChangePage([], next: 7))) == OutgoingReply.message(History.Reply(changes: [], next: 7)))
    }

    @Test func `outages`() {
        let outages = Self.texts.enumerated().map { number, text in
            Outage(
                number: Int64(number), since: WallTime(milliseconds: Int64(number)),
                until: number == 0 ? nil : WallTime(milliseconds: -1), cause: number == 1 ? .network : .provider,
                message: text ?? "", deferred: number)
        }
        let encoded = OutgoingReply.message(Outages.Reply(outages: outages.map { Interface.Outage($0) }))
        #expect(Self.reply(.outages(outages)) == encoded)
        #expect(Self.reply(.outages([])) == OutgoingReply.message(Outages.Reply(outages: [])))
    }

    @Test func `kept events have the same bytes as encoded ones`() {
        let events =
            Self.changes + Self.texts.map { Self.event(7, .providerFailed, message: $0) }
            + [PublishedEvent(seq: nil, at: Samples.wall, kind: .networkLost, address: nil, fields: [], message: "")]
        for event in events {
            let encoded = OutgoingReply.message(Monitor.Reply(event: Interface.Event(event, nil)), continues: true)
            #expect(OutgoingReply.message(publishing: event, nil) == encoded)
        }
    }
}
