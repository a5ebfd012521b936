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
    private static let rowsForHead = 12
    private static let rowsForEvents = 18
    private static let rowsForAir = 30

    /// - Parameter gauges: how many there are to show.
    init(_ size: WindowSize, gauges: Int) {
        gaugesAcross = max(1, min(gauges, size.columns / Self.gaugeColumns))
        let hasHead = size.rows >= Self.rowsForHead
        gaugeRows = hasHead ? (gauges + gaugesAcross - 1) / gaugesAcross : 0
        let air = size.rows >= Self.rowsForAir ? 1 : 0
        head = hasHead ? 1 + air + Self.facts + gaugeRows + air : min(1, size.rows)
        events = size.rows >= Self.rowsForEvents ? 1 + max(3, size.rows / 6) : 0
        let titlesAndKeys = 2
        list = max(0, size.rows - head - titlesAndKeys - events)
    }

    /// Rows between the title and what follows it.
    var air: Int { head > 1 ? (head - 1 - Self.facts - gaugeRows) / 2 : 0 }
}
