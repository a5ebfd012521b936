package import RecordKeeping

extension Watch {
    /// The column `by_file`: 0 for an address that is not in any list, otherwise 1 plus twice the overrides.
    package var fileColumn: Int64 { byFile ? 1 | Int64(overrides.rawValue) << 1 : 0 }
}
