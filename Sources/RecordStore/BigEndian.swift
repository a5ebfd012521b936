extension RandomAccessCollection<UInt8> where Index == Int {
    /// The number of four bytes that begins there, the highest first, as SQLite's files have them.
    func bigEndian(at place: Int) -> UInt32 {
        self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
