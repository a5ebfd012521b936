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

    /// Rows of the daemon's status above the gauges.
    let factRows: Int
    private let size: WindowSize

    /// The minimum width of a gauge.
    private static let gaugeColumns = 38
    /// The minimum number of rows of the list.
    private static let minListRows = 5
    private static let minEventRows = 3
    private static let minRowsForPadding = 30
    private static let titlesAndKeys = 2

    /// - Parameters:
    ///   - gauges: the number of gauges.
    ///   - hasFilter: whether a filter of the command line is shown below the facts.
    init(_ size: WindowSize, gauges: Int, hasFilter: Bool = false) {
        self.size = size
        factRows = hasFilter ? 4 : 3
        gaugesAcross = max(1, min(gauges, size.columns / Self.gaugeColumns))
        let rowsOfGauges = (gauges + gaugesAcross - 1) / gaugesAcross
        let padding = size.rows >= Self.minRowsForPadding ? 2 : 0
        let wholeHead = 1 + padding + factRows + rowsOfGauges
        let hasHead = size.rows - wholeHead - Self.titlesAndKeys >= Self.minListRows
        gaugeRows = hasHead ? rowsOfGauges : 0
        head = hasHead ? wholeHead : min(1, size.rows)
        let left = size.rows - head - Self.titlesAndKeys
        let wanted = 1 + max(Self.minEventRows, size.rows / 6)
        events = hasHead && left - wanted >= Self.minListRows ? wanted : 0
        list = max(0, left - events)
    }

    /// Empty rows above the facts, and below the gauges.
    var padding: Int { head > 1 ? (head - 1 - factRows - gaugeRows) / 2 : 0 }

    /// The first row with an entry.
    var firstListRow: Int { head + 1 }

    /// Rows of the text of a card or of the help, which fills the screen except the title and the keys.
    var textRows: Int { max(0, size.rows - Self.titlesAndKeys) }
}
