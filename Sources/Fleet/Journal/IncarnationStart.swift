/// The first row of an incarnation in one history of the journal.
///
/// Only one history continues an incarnation. Two histories that contain its first row are therefore equal until one of
/// them ends or begins another incarnation, even if all rows that could be compared have been deleted.
package struct IncarnationStart: Hashable, Sendable {
    /// The number of the incarnation.
    package let number: Int64
    package let row: JournalCursor

    package init(number: Int64, row: JournalCursor) {
        (self.number, self.row) = (number, row)
    }
}

extension [IncarnationStart] {
    /// Adds the incarnations that begin in the rows, which follow in the same history.
    package mutating func extend(by rows: some Collection<JournalRow>) {
        for row in rows where last.map({ $0.number < row.incarnation }) ?? true {
            append(IncarnationStart(number: row.incarnation, row: row.cursor))
        }
    }

    /// Returns the number of the last row that is common to this history, which ends with the row `end`, and another
    /// one.
    func lastCommonNumber(endingAt end: Int64, with other: Self, endingAt otherEnd: Int64) -> Int64 {
        let count = zip(self, other).prefix { $0 == $1 }.count
        if count == 0 { return 0 }
        func last(of starts: Self, _ end: Int64) -> Int64 { count < starts.count ? starts[count].row.seq - 1 : end }
        return Swift.min(last(of: self, end), last(of: other, otherEnd))
    }
}
