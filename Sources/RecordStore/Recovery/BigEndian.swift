extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns the 32-bit big-endian integer at `place`, the byte order of SQLite's files.
    func bigEndian(at place: Int) -> UInt32 {
        self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
