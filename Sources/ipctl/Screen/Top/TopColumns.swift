/// Where the columns of the list stand on a screen. One that has no room is empty.
///
/// The narrower the screen, the fewer there are: first the tags go, the reverse name and the bar, then the network, the
/// place, the state's name, the countdown and the state's mark. The address is always there, cut where it must be.
struct TopColumns: Hashable {
    let pin: Range<Int>
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
    /// An IPv4 address; a longer one makes its column wider.
    private static let shortestAddress = 15
    private static let stateColumns = 7
    /// An hour and its minutes and seconds.
    private static let refreshColumns = 7
    private static let barColumns = 12
    /// From this width on the rest does not need what the bar takes.
    private static let roomForBar = 100

    /// How what is left is shared by place, network, reverse name and tags, in per cent: from so much room on, so many.
    private static let shares: [(from: Int, parts: [Int])] = [
        (120, [22, 33, 28, 17]), (75, [25, 40, 35]), (26, [40, 60]), (12, [100]), (0, []),
    ]
    /// Wider ones would only be further apart.
    private static let widest = [32, 48, 48, 32]

    /// - Parameters:
    ///   - total: of the screen.
    ///   - longestAddress: the longest that is seen.
    init(total: Int, longestAddress: Int) {
        var room = max(0, total - 2 * TopFrame.margin)
        /// Takes columns and the gap before them, or nothing.
        func take(_ columns: Int, if fits: Bool = true, gap: Int = TopColumns.gap) -> Int {
            guard fits, columns > 0, room >= gap + columns else { return 0 }
            room -= gap + columns
            return columns
        }
        let pin = take(1, gap: 0)
        let address = take(min(max(Self.shortestAddress, longestAddress), room - 1), gap: 1)
        let mark = take(1)
        let refresh = take(Self.refreshColumns, if: mark > 0)
        let state = take(Self.stateColumns, if: refresh > 0, gap: 1)
        let bar = take(Self.barColumns, if: total >= Self.roomForBar && state > 0, gap: 1)
        let parts = state > 0 ? Self.shares.first { room >= $0.from }?.parts ?? [] : []
        let shared = room - Self.gap * parts.count
        let flexible = (0..<Self.widest.count).map { index in
            index < parts.count ? take(min(shared * parts[index] / 100, Self.widest[index])) : 0
        }

        var column = TopFrame.margin
        func next(_ columns: Int, after gap: Int = TopColumns.gap) -> Range<Int> {
            guard columns > 0 else { return column..<column }
            defer { column += gap + columns }
            return column + gap..<column + gap + columns
        }
        self.pin = next(pin, after: 0)
        self.address = next(address, after: 1)
        self.mark = next(mark)
        self.state = next(state, after: 1)
        place = next(flexible[0])
        network = next(flexible[1])
        reverse = next(flexible[2])
        tags = next(flexible[3])
        // These two stand at the right edge.
        let edge = max(column, total - TopFrame.margin)
        self.refresh = edge - refresh..<edge
        self.bar = edge - refresh - 1 - bar..<edge - refresh - 1
    }
}
