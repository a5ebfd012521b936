import Testing

@testable import RecordKeeping

@Suite struct LookupQueueTests {
    private let root = Requester(user: 0, isAdministrator: true)

    private func user(_ number: UInt32) -> Requester { Requester(user: number, isAdministrator: false) }

    private func order(_ queue: inout LookupQueue) -> [Int] {
        var order: [Int] = []
        while let first = queue.first {
            queue.dequeue(first)
            order.append(first)
        }
        return order
    }

    @Test func `awaited lookups come first, and administrators first within both groups`() {
        var queue = LookupQueue()
        queue.add(0, for: user(1), isAwaited: false)
        queue.add(1, for: root, isAwaited: false)
        queue.add(2, for: user(1), isAwaited: true)
        queue.add(3, for: root, isAwaited: true)
        #expect(order(&queue) == [3, 2, 1, 0])
    }

    @Test func `users take turns, regardless of how many lookups they have`() {
        var queue = LookupQueue()
        for index in 0..<6 { queue.add(index, for: user(1), isAwaited: true) }
        queue.dequeue(0)
        queue.dequeue(1)
        for index in 6..<8 { queue.add(index, for: user(2), isAwaited: true) }
        queue.add(8, for: user(3), isAwaited: true)
        #expect(order(&queue) == [2, 6, 8, 3, 7, 4, 5])
    }

    @Test func `a user whose lookups were withdrawn takes the next turn`() {
        var queue = LookupQueue()
        for index in 0..<3 { queue.add(index, for: user(1), isAwaited: true) }
        for index in 3..<40 { queue.add(index, for: user(2), isAwaited: true) }
        for index in 3..<40 { queue.remove(index) }
        queue.add(40, for: user(2), isAwaited: true)
        #expect(order(&queue) == [0, 40, 1, 2])
    }

    @Test func `a withdrawn lookup leaves its turn to the last one of its user`() {
        var queue = LookupQueue()
        for index in 0..<4 { queue.add(index, for: user(1), isAwaited: true) }
        for index in 4..<8 { queue.add(index, for: user(2), isAwaited: true) }
        queue.remove(4)
        queue.relax(5, for: user(2))
        #expect(order(&queue) == [0, 7, 1, 6, 2, 3, 5])
    }

    @Test func `a lookup moves forward for a waiting caller, and back without one`() {
        var queue = LookupQueue()
        for index in 0..<3 { queue.add(index, for: user(1), isAwaited: false) }
        queue.hurry(2, for: user(2))
        #expect(queue.first == 2)
        queue.hurry(1, for: root)
        #expect(queue.first == 1)
        queue.relax(1, for: user(1))
        queue.relax(0, for: user(1))
        #expect(order(&queue) == [2, 0, 1])
    }

    @Test func `a second caller of the same user does not delay a lookup`() {
        var queue = LookupQueue()
        for index in 0..<3 { queue.add(index, for: user(1), isAwaited: true) }
        queue.hurry(0, for: user(1))
        #expect(order(&queue) == [0, 1, 2])
    }

    @Test func `the last lookups are those without a waiting caller, of the user with the most`() {
        var queue = LookupQueue()
        for index in 0..<5 { queue.add(index, for: user(1), isAwaited: false) }
        queue.add(5, for: user(2), isAwaited: false)
        queue.add(6, for: user(3), isAwaited: true)
        queue.add(7, for: Requester(user: 0, isAdministrator: true), isAwaited: false)
        #expect(queue.fromTheEnd.prefix(2) == [4, 3])
        #expect(Set(queue.fromTheEnd.prefix(6)) == Set(0...5))
        #expect(queue.fromTheEnd.dropFirst(6) == [6], "those of administrators are not included")
    }
}
