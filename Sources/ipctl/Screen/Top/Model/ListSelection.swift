import Control

/// The selected row of the list, and the first visible row.
///
/// The selection follows its address when the list changes. If the address is no longer among the entries in memory,
/// the selection stays in its row.
struct ListSelection: Hashable {
    /// The position of the entry in the first visible row.
    private(set) var offset = 0
    /// The position of the selected entry.
    private(set) var position = 0
    /// The selected address; nil if its entry has not been read, or if the list is empty.
    private(set) var address: String?

    /// Returns the visible positions.
    func visible(of list: ListWindow, rows: Int) -> Range<Int> {
        offset..<offset + min(rows, max(0, (list.total ?? rows).clampedSubtracting(offset)))
    }

    /// Selects the entry at a position, or the nearest one, and makes it visible.
    mutating func select(_ target: Int, in list: ListWindow, rows: Int) {
        position = max(0, target)
        fit(list, rows: rows)
        address = list[position]?.address
    }

    /// Moves the selection and the visible rows by a page.
    mutating func turnPages(_ count: Int, in list: ListWindow, rows: Int) {
        let distance = count * max(1, rows)
        offset = max(0, offset.clampedAdding(distance))
        select(position.clampedAdding(distance), in: list, rows: rows)
    }

    /// Moves the visible rows. The selection moves only if it would leave the screen.
    mutating func scroll(by distance: Int, in list: ListWindow, rows: Int) {
        offset = max(0, offset.clampedAdding(distance))
        fitOffset(list, rows: rows)
        let nearest = min(max(position, offset), offset + max(1, rows) - 1)
        if nearest != position { select(nearest, in: list, rows: rows) }
    }

    /// Follows the selected address after a change to the list or the screen.
    ///
    /// - Parameter isComplete: whether the visible part of the list has been read, so that a missing address has moved
    ///   away or was removed.
    mutating func follow(_ list: ListWindow, rows: Int, isComplete: Bool) {
        if let found = address.flatMap({ list.position(of: $0) }) {
            position = found
            fit(list, rows: rows)
        } else {
            fit(list, rows: rows)
            if address == nil || isComplete { address = list[position]?.address }
        }
    }

    private mutating func fit(_ list: ListWindow, rows: Int) {
        position = min(position, max(0, (list.total ?? 1) - 1))
        fitOffset(list, rows: rows)
        offset = min(max(offset, position - max(1, rows) + 1), position)
    }

    private mutating func fitOffset(_ list: ListWindow, rows: Int) {
        offset = min(offset, max(0, (list.total ?? rows).clampedSubtracting(rows)))
    }
}
