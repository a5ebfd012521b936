import RecordKeeping

/// The previous values of a body, from which the writer and the reader compute differences.
struct ValueChain {
    var entry: Int64 = 0
    var cohort: Int64 = 0
    var address = IPAddress(high: 0, low: 0)
    /// The previous time on the wall clock, also that of an instant, in milliseconds.
    var wall = BodyLimits.epoch.milliseconds
    /// The previous instant, in nanoseconds and milliseconds.
    private(set) var instant: (boot: Int64, wall: Int64) = (0, BodyLimits.epoch.milliseconds)

    mutating func set(boot: Int64, wall: Int64) {
        (instant, self.wall) = ((boot, wall), wall)
    }

    /// Returns the wall time at a boot time within `BodyLimits`, if the wall clock was not set since the previous
    /// instant.
    func expectedWall(at boot: Int64) -> Int64 { instant.wall + (boot - instant.boot) / 1_000_000 }

    /// Returns the difference from the previous address + 2; nil unless the address follows it in the same 64 bits.
    func distance(to next: IPAddress) -> UInt64? {
        guard next.high == address.high, next.low >= address.low, next.low - address.low <= .max - 2 else { return nil }
        return next.low - address.low + 2
    }

    /// Returns the address at a distance from the previous one; nil if there is none.
    func address(at distance: UInt64) -> IPAddress? {
        let (low, overflow) = address.low.addingReportingOverflow(distance - 2)
        return overflow ? nil : IPAddress(high: address.high, low: low)
    }
}

/// The values that a body contains once, although several of its writes refer to them.
enum SharedKind: Hashable {
    case label, place, network
}

/// The time, the provider and the version of the records of a cohort.
struct CohortSource {
    let at: Instant
    let provider: String
    let version: DataVersion.ID?

    /// Returns whether a record has this source, byte for byte.
    func isExactly(_ scan: Scan) -> Bool {
        at == scan.at && version == scan.version && provider.utf8.elementsEqual(scan.provider.utf8)
    }
}

extension Int64 {
    /// This number with its sign in the least significant bit, so that small magnitudes have short varints.
    var zigZag: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }

    init(zigZag value: UInt64) {
        self = Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}

extension UInt64 {
    /// The length of this number as a varint, 1 to 10.
    var varintBytes: Int { Swift.max(1, (64 - leadingZeroBitCount + 6) / 7) }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// Returns the closest number whose magnitude is at most `bound`.
    func clamped(to bound: Self) -> Self { Swift.min(Swift.max(self, -bound), bound) }
}
