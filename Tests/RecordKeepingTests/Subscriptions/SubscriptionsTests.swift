import Testing

@testable import RecordKeeping

@Suite struct SubscriptionsTests {
    private static func request(_ number: UInt64, of peer: UInt64 = 1) -> Request.ID {
        Request.ID(peer: PeerID(number: peer), number: number)
    }

    @Test func `listeners keep the order of their arrival`() {
        var subscriptions = Subscriptions()
        for number: UInt64 in [3, 1, 2] {
            subscriptions.add(Self.request(number), Subscriptions.Listener(selection: EventSelection()))
        }
        subscriptions.remove(Self.request(1))
        subscriptions.remove(Self.request(9))
        #expect(subscriptions.order == [Self.request(3), Self.request(2)])
        #expect(subscriptions.listeners.count == 2)
    }

    @Test func `a listener reads kept events until its position is cleared`() {
        var subscriptions = Subscriptions()
        subscriptions.add(Self.request(1), Subscriptions.Listener(selection: EventSelection()))
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
            subscriptions.add(id, Subscriptions.Listener(selection: EventSelection()))
        }
        subscriptions.removeAll(of: PeerID(number: 1))
        #expect(subscriptions.order == [Self.request(1, of: 2)])
        #expect(Set(subscriptions.listeners.keys) == [Self.request(1, of: 2)])
    }
}
