import Testing

@testable import RecordKeeping

@Suite struct WaitersTests {
    private static let (one, two) = (IPAddress(v4: 0x0101_0101), IPAddress(v4: 0x0202_0202))

    private static let requester = Requester(user: 1_000, isAdministrator: false)

    private static func request(_ number: UInt64, of peer: UInt64 = 1) -> Request.ID {
        Request.ID(peer: PeerID(number: peer), number: number)
    }

    @Test func `a caller is ready when its last address has an answer`() {
        var waiters = Waiters()
        let index = waiters.wait(
            Self.request(1), of: Self.requester, for: [Self.one, Self.two], pending: [Self.one, Self.two])
        #expect(waiters.isAwaited(Self.one) && waiters.isAwaited(Self.two))
        #expect(waiters.resolve(Self.one) == [])
        #expect(!waiters.isAwaited(Self.one) && !waiters.isReady(index))
        #expect(waiters.resolve(Self.two) == [index])
        #expect(waiters.isReady(index))
        #expect(waiters.resolve(Self.two) == [], "each caller is ready once")
    }

    @Test func `one answer serves every caller of the address, in order of index`() {
        var waiters = Waiters()
        let first = waiters.wait(Self.request(1), of: Self.requester, for: [Self.one], pending: [Self.one])
        let second = waiters.wait(
            Self.request(2), of: Self.requester, for: [Self.one, Self.two], pending: [Self.one, Self.two])
        let third = waiters.wait(Self.request(3), of: Self.requester, for: [Self.one], pending: [Self.one])
        #expect(waiters.resolve(Self.one) == [first, third])
        #expect(!waiters.isReady(second) && waiters.isAwaited(Self.two))
    }

    @Test func `a removed caller awaits nothing, and its index is reused`() {
        var waiters = Waiters()
        let index = waiters.wait(Self.request(1), of: Self.requester, for: [Self.one], pending: [Self.one])
        let other = waiters.wait(Self.request(2), of: Self.requester, for: [Self.two], pending: [Self.two])
        #expect(waiters.remove(index)?.request == Self.request(1))
        #expect(waiters.remove(index)?.request == nil)
        #expect(!waiters.isAwaited(Self.one) && waiters.isAwaited(Self.two))
        #expect(waiters.wait(Self.request(3), of: Self.requester, for: [Self.one], pending: [Self.one]) == index)
        #expect(index != other)
    }

    @Test func `only the callers of a client that disconnects are removed`() {
        var waiters = Waiters()
        let first = waiters.wait(Self.request(1), of: Self.requester, for: [Self.one], pending: [Self.one])
        let other = waiters.wait(Self.request(1, of: 2), of: Self.requester, for: [Self.one], pending: [Self.one])
        let last = waiters.wait(Self.request(2), of: Self.requester, for: [Self.two], pending: [Self.two])
        #expect(waiters.removeAll(of: PeerID(number: 1)) == [first, last])
        #expect(waiters.callers.keys.sorted() == [other])
        #expect(waiters.isAwaited(Self.one) && !waiters.isAwaited(Self.two))
    }
}
