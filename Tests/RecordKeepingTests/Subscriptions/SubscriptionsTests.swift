import Testing

@testable import RecordKeeping

@Suite struct SubscriptionsTests {
    private static let (one, two) = (IPAddress(v4: 0x0101_0101), IPAddress(v4: 0x0202_0202))

    private static func request(_ number: UInt64, of peer: UInt64 = 1) -> Request.ID {
        Request.ID(peer: PeerID(number: peer), number: number)
    }

    private static func event(_ kind: PublishedEvent.Kind, _ address: IPAddress?) -> PublishedEvent {
        PublishedEvent(seq: 1, at: WallTime(milliseconds: 0), kind: kind, address: address)
    }

    @Test func `without filters a listener wants every event`() {
        let listener = Subscriptions.Listener(kinds: nil, addresses: nil)
        for kind in PublishedEvent.Kind.allCases {
            #expect(listener.wants(Self.event(kind, Self.one)) && listener.wants(Self.event(kind, nil)))
        }
    }

    @Test func `filters combine with AND, and an event without an address passes an address filter`() {
        let listener = Subscriptions.Listener(kinds: [.changed, .networkLost], addresses: [Self.one])
        #expect(listener.wants(Self.event(.changed, Self.one)))
        #expect(!listener.wants(Self.event(.changed, Self.two)))
        #expect(!listener.wants(Self.event(.added, Self.one)))
        #expect(listener.wants(Self.event(.networkLost, nil)))
        #expect(!listener.wants(Self.event(.networkRestored, nil)))
    }

    @Test func `listeners keep the order of their arrival`() {
        var subscriptions = Subscriptions()
        for number: UInt64 in [3, 1, 2] {
            subscriptions.add(Self.request(number), Subscriptions.Listener(kinds: nil, addresses: nil))
        }
        subscriptions.remove(Self.request(1))
        subscriptions.remove(Self.request(9))
        #expect(subscriptions.order == [Self.request(3), Self.request(2)])
        #expect(subscriptions.listeners.count == 2)
    }

    @Test func `a listener reads kept events until its position is cleared`() {
        var subscriptions = Subscriptions()
        subscriptions.add(Self.request(1), Subscriptions.Listener(kinds: nil, addresses: nil))
        #expect(subscriptions.listeners[Self.request(1)]?.readUpTo == nil)
        subscriptions.update(Self.request(1), readUpTo: 7)
        #expect(subscriptions.listeners[Self.request(1)]?.readUpTo == 7)
        subscriptions.update(Self.request(1), readUpTo: nil)
        #expect(subscriptions.listeners[Self.request(1)]?.readUpTo == nil)
        subscriptions.update(Self.request(2), readUpTo: 7)
        #expect(subscriptions.listeners[Self.request(2)] == nil, "an update adds no listener")
    }

    @Test func `only the listeners of a client that disconnects are removed`() {
        var subscriptions = Subscriptions()
        for id in [Self.request(1), Self.request(1, of: 2), Self.request(2)] {
            subscriptions.add(id, Subscriptions.Listener(kinds: nil, addresses: nil))
        }
        subscriptions.removeAll(of: PeerID(number: 1))
        #expect(subscriptions.order == [Self.request(1, of: 2)])
        #expect(Set(subscriptions.listeners.keys) == [Self.request(1, of: 2)])
    }
}
