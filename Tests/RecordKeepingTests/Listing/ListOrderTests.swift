import Testing

@testable import RecordKeeping

@Suite struct ListOrderTests {
    private let v4 = addresses(4)
    private let v6 = IPAddress(high: 0x2001_0DB8_0000_0000, low: 1)

    /// Returns the addresses of the list, at most nine.
    private func listed(
        _ order: inout ListOrder, after position: ListPosition? = nil, isPinned: Bool? = nil
    ) -> [IPAddress] {
        order.positions(after: position, isPinned: isPinned, atMost: 9).map(\.address)
    }

    private func order() -> ListOrder {
        var order = ListOrder()
        for address in [v6, v4[2], v4[0]] { order.insert(address, isPinned: false) }
        order.insert(v4[3], isPinned: true)
        return order
    }

    @Test func `pinned addresses come first, then IPv4 before IPv6, by value`() {
        var order = order()
        let all = order.positions(after: nil, isPinned: nil, atMost: 9)
        #expect(all.map(\.address) == [v4[3], v4[0], v4[2], v6])
        #expect(all.map(\.isPinned) == [true, false, false, false])
        let pinned = listed(&order, isPinned: true)
        #expect(pinned == [v4[3]])
        let others = listed(&order, isPinned: false)
        #expect(others == [v4[0], v4[2], v6])
    }

    @Test(arguments: 1...4) func `pages of any size contain each address once`(size: Int) {
        var order = order()
        var found: [IPAddress] = []
        var last: ListPosition?
        while true {
            let page = order.positions(after: last, isPinned: nil, atMost: size)
            guard !page.isEmpty else { break }
            found += page.map(\.address)
            last = page.last
        }
        #expect(found == [v4[3], v4[0], v4[2], v6])
    }

    @Test func `a page continues after an address that was removed in the meantime`() {
        var order = order()
        order.remove(v4[0], isPinned: false)
        order.insert(v4[1], isPinned: false)
        let position = ListPosition(isPinned: false, address: v4[0])
        let next = listed(&order, after: position)
        #expect(next == [v4[1], v4[2], v6])
    }

    @Test func `the last change of an address counts`() {
        var order = ListOrder()
        order.insert(v4[0], isPinned: false)
        order.remove(v4[0], isPinned: false)
        let none = listed(&order)
        #expect(none.isEmpty)
        order.insert(v4[0], isPinned: false)
        order.remove(v4[0], isPinned: false)
        order.insert(v4[0], isPinned: false)
        let once = listed(&order)
        #expect(once == [v4[0]])
    }
}
