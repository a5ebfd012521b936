import RecordKeeping

extension Watch {
    /// The column `by_file`: 0 for an address that is not in any list, otherwise 1 plus twice the overrides.
    var fileColumn: Int64 { byFile ? 1 | Int64(overrides.rawValue) << 1 : 0 }

    /// Returns the overrides in the column `by_file`; earlier versions wrote no overrides.
    static func overrides(inFileColumn column: Int64) -> Overrides {
        column == 0 ? [] : Overrides(rawValue: UInt8(truncatingIfNeeded: column >> 1)).intersection([.tags, .note])
    }
}
