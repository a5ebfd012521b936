/// The layout of the screen's rows.
///
/// From the top: the title, the daemon's status, the gauges, the titles of the list, the list, the last events, and the
/// keys. On a screen with few rows, the events are omitted first, then everything above the list except the title.
struct TopLayout: Hashable {
    /// The number of gauges per row, and the number of rows.
    let gaugesAcross: Int
    let gaugeRows: Int
    /// Rows above the titles of the list.
    let head: Int
    let list: Int
    /// Rows of events, including the line above them; 0 for none.
    let events: Int

    static let factRows = 3

    /// The minimum width of a gauge.
    private static let gaugeColumns = 38
    /// The minimum number of rows of the list.
    private static let minListRows = 5
    private static let minEventRows = 3
    private static let minRowsForPadding = 30
    private static let titlesAndKeys = 2

    /// - Parameter gauges: the number of gauges.
    init(_ size: WindowSize, gauges: Int) {
        gaugesAcross = max(1, min(gauges, size.columns / Self.gaugeColumns))
        let rowsOfGauges = (gauges + gaugesAcross - 1) / gaugesAcross
        let padding = size.rows >= Self.minRowsForPadding ? 2 : 0
        let wholeHead = 1 + padding + Self.factRows + rowsOfGauges
        let hasHead = size.rows - wholeHead - Self.titlesAndKeys >= Self.minListRows
        gaugeRows = hasHead ? rowsOfGauges : 0
        head = hasHead ? wholeHead : min(1, size.rows)
        let left = size.rows - head - Self.titlesAndKeys
        let wanted = 1 + max(Self.minEventRows, size.rows / 6)
        events = hasHead && left - wanted >= Self.minListRows ? wanted : 0
        list = max(0, left - events)
    }

    /// Empty rows above the facts, and below the gauges.
    var padding: Int { head > 1 ? (head - 1 - Self.factRows - gaugeRows) / 2 : 0 }
}
