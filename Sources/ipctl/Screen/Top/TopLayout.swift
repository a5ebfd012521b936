/// How the rows of the screen are shared out.
///
/// From the top: the title, what the daemon's condition is, the gauges, the titles of the list, the list, the last events,
/// and the keys. A screen that is too low goes without events first, then without all of the head but the title.
struct TopLayout: Hashable {
    /// Gauges beside each other, and rows of them.
    let gaugesAcross: Int
    let gaugeRows: Int
    /// Rows above the titles of the list.
    let head: Int
    let list: Int
    /// Rows of events with the line above them; 0 for none.
    let events: Int

    static let facts = 3

    /// The least width that a gauge is told in.
    private static let gaugeColumns = 38
    /// Rows of the list that what stands around it leaves.
    private static let leastList = 5
    private static let leastEvents = 3
    private static let rowsForAir = 30
    private static let titlesAndKeys = 2

    /// - Parameter gauges: how many there are to show.
    init(_ size: WindowSize, gauges: Int) {
        gaugesAcross = max(1, min(gauges, size.columns / Self.gaugeColumns))
        let rowsOfGauges = (gauges + gaugesAcross - 1) / gaugesAcross
        let air = size.rows >= Self.rowsForAir ? 2 : 0
        let wholeHead = 1 + air + Self.facts + rowsOfGauges
        let hasHead = size.rows - wholeHead - Self.titlesAndKeys >= Self.leastList
        gaugeRows = hasHead ? rowsOfGauges : 0
        head = hasHead ? wholeHead : min(1, size.rows)
        let left = size.rows - head - Self.titlesAndKeys
        let wish = 1 + max(Self.leastEvents, size.rows / 6)
        events = hasHead && left - wish >= Self.leastList ? wish : 0
        list = max(0, left - events)
    }

    /// Rows left empty above the facts, and below the gauges.
    var air: Int { head > 1 ? (head - 1 - Self.facts - gaugeRows) / 2 : 0 }
}
