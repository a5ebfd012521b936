import Logging
import RecordKeeping
import Systemd
import Testing

@testable import Daemon

@Suite struct AlertTests {
    private static func alert(
        _ kind: PublishedEvent.Kind, seq: Int64? = 7, address: String? = nil, fields: [FieldChange] = [],
        message: String? = nil
    ) throws -> Alert {
        let event = PublishedEvent(
            seq: seq, at: WallTime(milliseconds: 0), kind: kind, address: try address.map { try IPAddress($0) },
            fields: fields, message: message)
        return Alert(event)
    }

    /// The kinds of events that the keeper announces, with their levels.
    @Test(
        arguments: [
            (.networkLost, .warning), (.networkRestored, .notice), (.providerFailed, .warning),
            (.providerRecovered, .notice), (.throttled, .warning), (.failed, .notice), (.recovered, .notice),
            (.changed, .info),
        ] as [(PublishedEvent.Kind, Logger.Level)])
    func `each kind has its level and its MESSAGE_ID`(kind: PublishedEvent.Kind, level: Logger.Level) throws {
        let alert = try Self.alert(kind, message: "why")
        let id = try #require(MessageID(rawValue: kind.rawValue))
        #expect(alert.level == level)
        #expect(alert.fields["MESSAGE_ID"] == .string(id.text))
        #expect(alert.fields["IPRECORD_EVENT"] == .string(kind.rawValue))
    }

    @Test func `no two kinds have the same MESSAGE_ID`() {
        let ids = MessageID.allCases.map(\.text)
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.count == 32 && $0.allSatisfy { $0.isHexDigit && !$0.isUppercase } })
    }

    @Test func `address and seq are fields where they apply, and are omitted elsewhere`() throws {
        let whole = try Self.alert(.failed, seq: 12, address: "2001:DB8::1", message: "why")
        #expect(Set(whole.fields.keys) == ["MESSAGE_ID", "IPRECORD_EVENT", "IPRECORD_ADDRESS", "IPRECORD_SEQ"])
        #expect(whole.fields["IPRECORD_ADDRESS"] == "2001:db8::1")
        #expect(whole.fields["IPRECORD_SEQ"] == "12")
        let bare = try Self.alert(.networkLost, seq: nil, message: "why")
        #expect(Set(bare.fields.keys) == ["MESSAGE_ID", "IPRECORD_EVENT"])
    }

    @Test(
        arguments: [
            (.networkLost, "network lost: why"), (.networkRestored, "network restored: why"),
            (.providerFailed, "the provider is failing: why"), (.providerRecovered, "why"),
            (.throttled, "throttled by the provider: why"), (.failed, "192.0.2.1 could not be scanned: why"),
            (.recovered, "192.0.2.1 can be scanned again"),
        ] as [(PublishedEvent.Kind, String)])
    func `each kind has a readable message`(kind: PublishedEvent.Kind, message: String) throws {
        let hasAddress = message.hasPrefix("192")
        #expect(try Self.alert(kind, address: hasAddress ? "192.0.2.1" : nil, message: "why").message == message)
    }

    @Test(
        arguments: [
            (.networkLost, "network lost"), (.networkRestored, "network restored"),
            (.providerFailed, "the provider is failing"),
            (.providerRecovered, "the provider is answering again"), (.throttled, "throttled by the provider"),
            (.failed, "192.0.2.1 could not be scanned"),
        ] as [(PublishedEvent.Kind, String)])
    func `a message without a reason ends without a colon`(kind: PublishedEvent.Kind, message: String) throws {
        let hasAddress = message.hasPrefix("192")
        #expect(try Self.alert(kind, address: hasAddress ? "192.0.2.1" : nil).message == message)
    }

    @Test(arguments: ["batch", "single"]) func `an alert about one endpoint names it, and not the provider`(
        endpoint: String
    ) throws {
        for (kind, message) in [
            (.providerFailed, "\(endpoint) calls fail: HTTP 503"),
            (.providerRecovered, "\(endpoint) calls succeed again"),
        ] as [(PublishedEvent.Kind, String)] {
            #expect(try Self.alert(kind, message: message).message == message)
        }
    }

    @Test func `a change lists each fact once, under the name on the card`() throws {
        let fields = [
            FieldChange(field: "country", old: "Germany", new: "France"),
            FieldChange(field: "countryCode", old: "DE", new: "FR"),
            FieldChange(field: "city", old: nil, new: "Paris"), FieldChange(field: "zip", old: "10115", new: nil),
            FieldChange(field: "lat", old: "52.5", new: "48.8"), FieldChange(field: "lon", old: "13.4", new: "2.3"),
            FieldChange(field: "as", old: "AS1 A", new: "AS2 B"), FieldChange(field: "asn", old: "1", new: "2"),
        ]
        let alert = try Self.alert(.changed, address: "192.0.2.1", fields: fields)
        let message = """
            192.0.2.1 changed: country Germany (DE) → France (FR), city (none) → Paris, postal code 10115 → (none), \
            coordinates 52.5, 13.4 → 48.8, 2.3, network AS1 A → AS2 B
            """
        #expect(alert.message == message)
    }
}
