import Testing

@testable import Daemon

struct FairQueueTests {
    @Test func `users take turns, however much work each of them has`() {
        var queue = FairQueue<String>()
        #expect(queue.isEmpty)
        for number in 1...4 { queue.append("a\(number)", of: 1) }
        queue.append("b1", of: 2)
        var taken = [queue.popFirst(), queue.popFirst()]
        for number in 1...2 { queue.append("c\(number)", of: 3) }
        queue.append("b2", of: 2)
        while let next = queue.popFirst() { taken.append(next) }
        #expect(taken == ["a1", "b1", "a2", "c1", "b2", "a3", "c2", "a4"])
        #expect(queue.isEmpty)
    }

    @Test func `a user who returns waits behind the others`() {
        var queue = FairQueue<Int>()
        queue.append(1, of: 1)
        queue.append(2, of: 2)
        #expect(queue.popFirst() == 1)
        queue.append(3, of: 1)
        #expect(queue.popFirst() == 2)
        #expect(queue.popFirst() == 3)
        #expect(queue.popFirst() == nil)
    }
}
