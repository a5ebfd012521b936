import Testing

@testable import RecordKeeping

@Suite struct EventSelectionTests {
    private static let one = IPAddress(v4: 0x0101_0101)
    private static let two = IPAddress(v4: 0x0202_0202)

    private static func event(
        _ kind: PublishedEvent.Kind, _ address: IPAddress? = one, changing fields: Record.Field...
    ) -> PublishedEvent {
        PublishedEvent(
            seq: 1, at: WallTime(milliseconds: 0), kind: kind, address: address,
            fields: fields.map { FieldChange(field: $0.rawValue, old: "a", new: "b") })
    }

    private static func matches(_ selection: EventSelection, _ event: PublishedEvent) -> Bool {
        selection.matches(event) { $0 == one ? ["dns", "prod"] : [] }
    }

    @Test func `without conditions, every event is selected`() {
        for kind in PublishedEvent.Kind.allCases {
            #expect(Self.matches(EventSelection(), Self.event(kind)))
            #expect(Self.matches(EventSelection(), Self.event(kind, nil)))
        }
    }

    @Test func `fields restrict changes, and no other events`() {
        let selection = EventSelection(fields: [.country, .isp])
        #expect(Self.matches(selection, Self.event(.changed, changing: .city, .isp)))
        #expect(!Self.matches(selection, Self.event(.changed, changing: .city)))
        #expect(Self.matches(selection, Self.event(.failed)))
        #expect(Self.matches(selection, Self.event(.networkLost, nil)))
    }

    @Test func `tags select the entries that have one of them, and events without an address`() {
        let selection = EventSelection(tags: ["prod", "test"])
        #expect(Self.matches(selection, Self.event(.changed)))
        #expect(!Self.matches(selection, Self.event(.changed, Self.two)))
        #expect(!Self.matches(EventSelection(tags: ["test"]), Self.event(.added)))
        #expect(Self.matches(selection, Self.event(.throttled, nil)))
    }

    @Test func `addresses restrict only events that have one`() {
        let selection = EventSelection(kinds: [.changed, .networkLost], addresses: [Self.one])
        #expect(Self.matches(selection, Self.event(.changed)))
        #expect(!Self.matches(selection, Self.event(.changed, Self.two)))
        #expect(!Self.matches(selection, Self.event(.added)))
        #expect(Self.matches(selection, Self.event(.networkLost, nil)))
        #expect(!Self.matches(selection, Self.event(.networkRestored, nil)))
    }

    @Test func `all conditions must hold`() {
        let selection = EventSelection(kinds: [.changed], addresses: [Self.one], fields: [.isp], tags: ["dns"])
        #expect(Self.matches(selection, Self.event(.changed, changing: .isp)))
        #expect(!Self.matches(selection, Self.event(.added)))
        #expect(!Self.matches(selection, Self.event(.changed, Self.two, changing: .isp)))
        #expect(!Self.matches(selection, Self.event(.changed, changing: .city)))
    }
}
