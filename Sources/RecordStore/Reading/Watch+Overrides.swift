import RecordKeeping

extension Watch {
    /// Returns the overrides in the column `by_file`; earlier versions wrote no overrides.
    static func overrides(inFileColumn column: Int64) -> Overrides {
        column == 0 ? [] : Overrides(rawValue: UInt8(truncatingIfNeeded: column >> 1)).intersection([.tags, .note])
    }
}
