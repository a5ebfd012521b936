/// The scans of the entries. Each scan holds the text of its provider.
extension Slots {
    /// Adds a call to the table of scans.
    ///
    /// - Parameter id: its row in the store; nil for a new one.
    /// - Returns: its index. The caller holds the scan until it calls `releaseScan`.
    mutating func addScan(_ id: ScanID? = nil, at time: Instant, provider: String) -> UInt32 {
        scans.add(id ?? scans.nextID(), at: time, provider: held(provider))
    }

    /// Adds a stored scan of an earlier run. The entries with its records become its holders.
    mutating func restoreScan(_ id: ScanID, at time: Instant, provider: String) -> UInt32 {
        scans.restore(id, at: time, provider: held(provider))
    }

    func provider(ofScan scan: UInt32) -> String { internedValues.texts[scans[scan].provider] ?? "" }

    /// Ends a hold. A scan without holders is removed.
    mutating func releaseScan(_ scan: UInt32) {
        guard var provider = scans.release(scan) else { return }
        internedValues.texts.replace(&provider, by: nil)
    }

    private mutating func held(_ provider: String) -> UInt32 {
        var index: UInt32 = 0
        internedValues.texts.replace(&index, by: provider)
        return index
    }
}
