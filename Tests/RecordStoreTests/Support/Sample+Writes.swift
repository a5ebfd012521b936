import RecordKeeping

/// Writes that store entries. Each id follows from the address, so it is the same in all commits of a test.
extension Sample {
    /// Returns the id of an address: its number for `address(_:)`, and a larger number for any other address.
    static func id(of address: IPAddress) -> EntryID {
        // `address(_:)` returns addresses of 192.0.0.0/16.
        let network: UInt32 = 0xC000_0000
        if let bits = address.v4 { return EntryID(number: bits == network ? 1 << 32 : Int64(bits ^ network)) }
        // FNV-1a.
        let hash = address.networkOrder.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return EntryID(number: 1 << 33 | Int64(hash >> 3))
    }

    static func key(_ address: IPAddress) -> EntryKey { EntryKey(id: id(of: address), address: address) }

    /// Returns the id of the cohort to which `writes(_:_:)` assigns the record of an address.
    static func cohort(of address: IPAddress) -> CohortID { CohortID(number: id(of: address).number) }

    /// Returns the writes that store an entry. Its answer, if it has one, replaces the stored record, and belongs to a
    /// cohort of its own.
    static func writes(_ address: IPAddress, _ entry: Entry) -> [Commit.Write] {
        guard let scan = entry.scan else { return [.put(key(address), entry, cohort: nil)] }
        let id = Self.cohort(of: address)
        return [
            .cohort(id, at: scan.at, provider: scan.provider, version: scan.version),
            .put(key(address), entry, cohort: id),
        ]
    }

    static func writes(_ entries: [IPAddress: Entry]) -> [Commit.Write] {
        entries.flatMap { writes($0.key, $0.value) }
    }

    /// Returns the writes that store an entry for each of these addresses.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the addresses, as in `address(_:)`.
    ///   - entry: returns the entry of the address with this number.
    static func writes(_ numbers: ClosedRange<Int>, _ entry: (Int) -> Entry) throws -> [Commit.Write] {
        try numbers.flatMap { writes(try address($0), entry($0)) }
    }
}
