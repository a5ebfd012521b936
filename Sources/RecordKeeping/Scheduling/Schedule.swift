/// A priority queue of deadlines: a 4-ary heap with a table of positions, so that deadlines can be changed and removed.
///
/// Ids are small integers, so a position is found without hashing. A new deadline replaces the one with the same id.
/// Setting, removing and popping take O(log n); reading the earliest takes O(1). Equal deadlines are ordered by id,
/// so that the same inputs give the same order.
struct Schedule: Sendable {
    private struct Node {
        var deadline: Int64
        var id: Int32

        static func < (a: Node, b: Node) -> Bool {
            (a.deadline, a.id) < (b.deadline, b.id)
        }
    }

    private var heap: [Node] = []
    /// The index in `heap` of each id; `absent` if the heap does not contain it.
    private var positions: [Int32] = []
    private static let absent: Int32 = -1

    var count: Int { heap.count }
    var isEmpty: Bool { heap.isEmpty }

    var earliest: BootTime? {
        heap.first.map { BootTime(nanoseconds: $0.deadline) }
    }

    /// The id with the earliest deadline; nil if the queue is empty.
    var first: Int? { heap.first.map { Int($0.id) } }

    func contains(_ id: Int) -> Bool {
        position(of: id) != nil
    }

    func deadline(of id: Int) -> BootTime? {
        position(of: id).map { BootTime(nanoseconds: heap[$0].deadline) }
    }

    /// Sets the deadline of an id.
    ///
    /// - Parameter id: 0 or more, below 2³¹. Memory grows with the largest id that was ever set.
    mutating func set(_ id: Int, to deadline: BootTime) {
        let node = Node(deadline: deadline.nanoseconds, id: Int32(id))
        if let position = position(of: id) {
            heap[position] = node
            siftDown(from: siftUp(from: position))
            return
        }
        while positions.count <= id { positions.append(Self.absent) }
        heap.append(node)
        positions[id] = Int32(heap.count - 1)
        siftUp(from: heap.count - 1)
    }

    mutating func remove(_ id: Int) {
        guard let position = position(of: id) else { return }
        positions[id] = Self.absent
        let last = heap.removeLast()
        guard position < heap.count else { return }
        heap[position] = last
        positions[Int(last.id)] = Int32(position)
        siftDown(from: siftUp(from: position))
    }

    /// Removes and returns the id with the earliest deadline; nil if the queue is empty.
    mutating func popFirst() -> Int? {
        guard let first = heap.first else { return nil }
        remove(Int(first.id))
        return Int(first.id)
    }

    /// Removes and returns the id with the earliest deadline, if that is not after `now`; otherwise nil.
    mutating func popDue(at now: BootTime) -> Int? {
        guard let earliest, earliest <= now else { return nil }
        return popFirst()
    }

    /// Returns the earliest deadline of the ids for which `predicate` is true.
    ///
    /// The search descends the heap only below ids for which the predicate is false, so it is fast if the predicate is
    /// true for most ids.
    func earliest(where predicate: (Int) -> Bool) -> BootTime? {
        var best: Int64?
        var open = heap.isEmpty ? [] : [0]
        while let position = open.popLast() {
            let node = heap[position]
            if let best, node.deadline >= best { continue }
            if predicate(Int(node.id)) {
                best = node.deadline
                continue
            }
            open += Self.children(of: position, count: heap.count)
        }
        return best.map { BootTime(nanoseconds: $0) }
    }

    /// Returns the number of ids whose deadline is before `end` and for which `predicate` is true, up to a maximum.
    ///
    /// - Parameter checked: the maximum number of ids that are checked. If there are more, the result is the maximum.
    func count(before end: BootTime, atMost maximum: Int, checking checked: Int, where predicate: (Int) -> Bool) -> Int
    {
        var (count, left) = (0, checked)
        var open = heap.isEmpty ? [] : [0]
        while count < maximum, let position = open.popLast() {
            let node = heap[position]
            guard node.deadline < end.nanoseconds else { continue }
            guard left > 0 else { return maximum }
            left -= 1
            if predicate(Int(node.id)) { count += 1 }
            open += Self.children(of: position, count: heap.count)
        }
        return count
    }

    /// Returns the ids with deadlines at or after a time, the latest first. The method sorts all of these ids.
    func latest(notBefore start: BootTime) -> [Int] {
        heap.filter { $0.deadline >= start.nanoseconds }.sorted { $1 < $0 }.map { Int($0.id) }
    }

    private func position(of id: Int) -> Int? {
        guard id < positions.count, positions[id] != Self.absent else { return nil }
        return Int(positions[id])
    }

    /// Moves a node towards the root until its deadline is not before that of its parent.
    ///
    /// - Returns: its new position.
    @discardableResult
    private mutating func siftUp(from start: Int) -> Int {
        withNodes { heap, positions in
            var position = start
            let node = heap[position]
            while position > 0 {
                let parent = Self.parent(of: position)
                guard node < heap[parent] else { break }
                heap[position] = heap[parent]
                positions[Int(heap[parent].id)] = Int32(position)
                position = parent
            }
            heap[position] = node
            positions[Int(node.id)] = Int32(position)
            return position
        }
    }

    /// Moves a node away from the root until no child has an earlier deadline.
    private mutating func siftDown(from start: Int) {
        withNodes { heap, positions in
            var position = start
            let node = heap[position]
            while true {
                let children = Self.children(of: position, count: heap.count)
                guard var earliest = children.first else { break }
                for child in children.dropFirst() where heap[child] < heap[earliest] { earliest = child }
                guard heap[earliest] < node else { break }
                heap[position] = heap[earliest]
                positions[Int(heap[earliest].id)] = Int32(position)
                position = earliest
            }
            heap[position] = node
            positions[Int(node.id)] = Int32(position)
        }
    }

    /// Passes the memory of `heap` and `positions` to `body`, which may change elements, but not their number.
    private mutating func withNodes<Result>(
        _ body: (UnsafeMutableBufferPointer<Node>, UnsafeMutableBufferPointer<Int32>) -> Result
    ) -> Result {
        heap.withUnsafeMutableBufferPointer { heap in
            positions.withUnsafeMutableBufferPointer { body(heap, $0) }
        }
    }

    /// Maximum number of children of a node. With four, the heap is flatter than with two, so fewer nodes move.
    private static let arity = 4

    private static func parent(of position: Int) -> Int { (position - 1) / arity }

    private static func children(of position: Int, count: Int) -> Range<Int> {
        let first = min(arity * position + 1, count)
        return first..<min(first + arity, count)
    }
}
