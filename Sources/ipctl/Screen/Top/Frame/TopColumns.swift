/// The positions of the list's columns on the screen. A column that does not fit is empty.
///
/// A narrow screen has fewer columns. The tags, the reverse name and the bar are dropped first, then the network, the
/// place, the state's name, the countdown and the state's mark. The address is always shown, truncated if necessary.
struct TopColumns: Hashable {
    let pin: Range<Int>
    /// The sign of a marked entry.
    let check: Range<Int>
    let address: Range<Int>
    let mark: Range<Int>
    let state: Range<Int>
    let place: Range<Int>
    let network: Range<Int>
    let reverse: Range<Int>
    let tags: Range<Int>
    let bar: Range<Int>
    let refresh: Range<Int>

    private static let gap = 2
    /// The minimum width of the address column, which fits any IPv4 address; longer addresses widen the column.
    private static let minAddressColumns = 15
    private static let stateColumns = 7
    /// The width of a countdown with hours, minutes and seconds.
    private static let refreshColumns = 7
    private static let barColumns = 12
    /// The minimum width of a screen with bars.
    private static let minColumnsForBar = 100

    /// The percentages of the remaining width for place, network, reverse name and tags, each from a minimum width up.
    private static let shares: [(from: Int, parts: [Int])] = [
        (120, [22, 33, 28, 17]), (75, [25, 40, 35]), (26, [40, 60]), (12, [100]), (0, []),
    ]
    /// The maximum widths of place, network, reverse name and tags.
    private static let maxColumns = [32, 48, 48, 32]

    /// - Parameters:
    ///   - total: columns of the screen.
    ///   - longestAddress: the width of the longest visible address.
    init(total: Int, longestAddress: Int) {
        var room = max(0, total - 2 * TopFrame.margin)
        /// Allocates columns and the gap before them, if there is room.
        func allocate(_ columns: Int, if fits: Bool = true, gap: Int = TopColumns.gap) -> Int {
            guard fits, columns > 0, room >= gap + columns else { return 0 }
            room -= gap + columns
            return columns
        }
        let pin = allocate(1, gap: 0)
        let address = allocate(min(max(Self.minAddressColumns, longestAddress), room - 1), gap: 1)
        let mark = allocate(1)
        let refresh = allocate(Self.refreshColumns, if: mark > 0)
        let state = allocate(Self.stateColumns, if: refresh > 0, gap: 1)
        let bar = allocate(Self.barColumns, if: total >= Self.minColumnsForBar && state > 0, gap: 1)
        let parts = state > 0 ? Self.shares.first { room >= $0.from }?.parts ?? [] : []
        let shared = room - Self.gap * parts.count
        let flexible = (0..<Self.maxColumns.count).map { index in
            index < parts.count ? allocate(min(shared * parts[index] / 100, Self.maxColumns[index])) : 0
        }

        var column = TopFrame.margin
        func next(_ columns: Int, after gap: Int = TopColumns.gap) -> Range<Int> {
            guard columns > 0 else { return column..<column }
            defer { column += gap + columns }
            return column + gap..<column + gap + columns
        }
        self.pin = next(pin, after: 0)
        // The sign fills the gap before the address.
        check = column..<column + (address > 0 ? 1 : 0)
        self.address = next(address, after: 1)
        self.mark = next(mark)
        self.state = next(state, after: 1)
        place = next(flexible[0])
        network = next(flexible[1])
        reverse = next(flexible[2])
        tags = next(flexible[3])
        // The last two columns are at the right edge.
        let edge = max(column, total - TopFrame.margin)
        self.refresh = edge - refresh..<edge
        self.bar = edge - refresh - 1 - bar..<edge - refresh - 1
    }
}
