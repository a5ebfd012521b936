/// A queue of scheduled events in order of time. Events at the same time keep the order in which they were added.
struct EventQueue<SimulatedEvent> {
    private struct Item {
        var moment: Moment
        var order: Int
        var event: SimulatedEvent

        func precedes(_ other: Item) -> Bool {
            (moment.nanoseconds, order) < (other.moment.nanoseconds, other.order)
        }
    }

    /// A binary heap: no item precedes its parent.
    private var heap: [Item] = []
    private var lastOrder = 0

    var count: Int { heap.count }

    mutating func add(_ event: SimulatedEvent, at moment: Moment) {
        lastOrder += 1
        heap.append(Item(moment: moment, order: lastOrder, event: event))
        var index = heap.count - 1
        while index > 0, heap[index].precedes(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Removes and returns the next event; nil if there is none.
    mutating func next() -> (moment: Moment, event: SimulatedEvent)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return (first.moment, first.event)
    }

    private mutating func sink() {
        var index = 0
        while true {
            var minimum = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && heap[child].precedes(heap[minimum])
            {
                minimum = child
            }
            guard minimum != index else { return }
            heap.swapAt(index, minimum)
            index = minimum
        }
    }
}
