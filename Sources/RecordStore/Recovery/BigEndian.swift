extension RandomAccessCollection<UInt8> where Index == Int {
    /// Returns the 32-bit integer at `place`, in big-endian order as in SQLite's files.
    func bigEndian(at place: Int) -> UInt32 {
        self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
