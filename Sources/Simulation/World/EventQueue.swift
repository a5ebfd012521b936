import HeapModule

/// A queue of scheduled events in order of time. Events at the same time keep the order in which they were added.
package struct EventQueue<SimulatedEvent> {
    private struct Item: Comparable {
        let moment: Moment
        let order: Int
        let event: SimulatedEvent

        static func == (a: Item, b: Item) -> Bool { a.order == b.order }
        static func < (a: Item, b: Item) -> Bool { (a.moment, a.order) < (b.moment, b.order) }
    }

    private var heap = Heap<Item>()
    private var lastOrder = 0

    package init() {}

    package mutating func add(_ event: SimulatedEvent, at moment: Moment) {
        lastOrder += 1
        heap.insert(Item(moment: moment, order: lastOrder, event: event))
    }

    /// Removes and returns the next event; nil if there is none.
    package mutating func next() -> (moment: Moment, event: SimulatedEvent)? {
        heap.popMin().map { ($0.moment, $0.event) }
    }
}
