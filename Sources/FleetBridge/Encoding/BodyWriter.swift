import RecordKeeping

/// Writes the bytes of one body: a version, a table of texts, and values.
///
/// Unsigned integers are base-128 varints with the least significant bits first (LEB128); signed ones are zig-zag
/// encoded. Repeated values are written once: a text as an index in the table, and the other ones as described at each
/// function. Ids, addresses and times are differences from the previous one. No order depends on a hash.
///
/// Times, durations and counts outside the bounds of `BodyLimits` are clamped: they stem from a wrong clock or from
/// damaged data, and a value that cannot be written would stop the leader.
struct BodyWriter {
    private(set) var bytes: [UInt8] = []
    private var texts = TextTable()
    /// The values of `BodyWriter.shared(_:in:)` by their bytes.
    private var sharedValues: [SharedKind: [[UInt8]: Int]] = [:]
    private var chain = ValueChain()
    /// The cohorts of the body with their sources.
    private var sources: [CohortID: CohortSource] = [:]

    /// Returns the complete body.
    ///
    /// - Throws: `BodyError.tooLarge`.
    consuming func finish() throws(BodyError) -> [UInt8] {
        var body = BodyWriter()
        body.byte(UInt8(BodyLimits.version))
        body.count(texts.added.count)
        for text in texts.added { body.plain(text) }
        body.bytes += bytes
        guard body.bytes.count <= BodyLimits.maxBytes else {
            throw .tooLarge(body.bytes.count, limit: BodyLimits.maxBytes, of: "bytes")
        }
        return body.bytes
    }

    // MARK: Numbers

    mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func unsigned(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    mutating func signed(_ value: Int64) {
        unsigned(value.zigZag)
    }

    /// Writes eight bytes, the least significant one first.
    mutating func fixed(_ value: UInt64) {
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift)))) }
    }

    /// Writes the number of elements of a list.
    mutating func count(_ count: Int) {
        unsigned(UInt64(count))
    }

    /// Writes a number that `BodyLimits.maxCount` bounds.
    mutating func number(_ number: Int) {
        signed(Int64(number.clamped(to: BodyLimits.maxCount)))
    }

    // MARK: Texts

    /// Writes the length and the bytes of a text.
    mutating func plain(_ text: [UInt8]) {
        count(text.count)
        bytes += text
    }

    /// Writes a text that rarely occurs twice: zero for nil, or its length + 1 and its bytes.
    mutating func plain(_ text: String?) {
        guard let text else { return byte(0) }
        count(text.utf8.count + 1)
        bytes += text.utf8
    }

    /// Writes the index of a text in the table.
    mutating func text(_ text: String) {
        unsigned(UInt64(texts.index(of: text)))
    }

    /// Writes zero for nil, or the index of a text in the table + 1.
    mutating func text(_ text: String?) {
        unsigned(text.map { UInt64(texts.index(of: $0)) + 1 } ?? 0)
    }

    // MARK: Values relative to the previous one

    /// Writes the difference from the previous id of an entry.
    mutating func id(_ id: EntryID) {
        signed(id.number &- chain.entry)
        chain.entry = id.number
    }

    /// Writes the difference from the previous id of a cohort.
    mutating func id(_ id: CohortID) {
        signed(id.number &- chain.cohort)
        chain.cohort = id.number
    }

    /// Writes 0 and four bytes for IPv4, 1 and sixteen bytes for IPv6, or, if that is shorter, the difference from the
    /// previous address + 2.
    mutating func address(_ address: IPAddress) {
        defer { chain.address = address }
        let full = address.networkOrder
        if let distance = chain.distance(to: address), distance.varintBytes <= full.count { return unsigned(distance) }
        byte(address.family == .v4 ? 0 : 1)
        bytes += full
    }

    mutating func addresses(_ addresses: [IPAddress]) {
        count(addresses.count)
        for address in addresses { self.address(address) }
    }

    /// Writes the difference from the previous time on the wall clock.
    mutating func wall(_ time: WallTime) {
        let milliseconds = time.milliseconds.clamped(to: BodyLimits.maxMilliseconds)
        signed(milliseconds - chain.wall)
        chain.wall = milliseconds
    }

    /// Writes the difference from the previous instant on the boot clock, and the difference of the wall time from the
    /// one that follows if both clocks run at the same rate.
    mutating func instant(_ instant: Instant) {
        let boot = instant.boot.nanoseconds.clamped(to: BodyLimits.maxNanoseconds)
        let wall = instant.wall.milliseconds.clamped(to: BodyLimits.maxMilliseconds)
        signed(boot - chain.instant.boot)
        signed(wall - chain.expectedWall(at: boot))
        chain.set(boot: boot, wall: wall)
    }

    /// Writes whole milliseconds × 2, or whole nanoseconds × 2 + 1, each zig-zag encoded before.
    mutating func duration(_ duration: Duration) {
        let nanoseconds = duration.wholeNanoseconds.clamped(to: BodyLimits.maxNanoseconds)
        let (milliseconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
        unsigned(rest == 0 ? milliseconds.zigZag << 1 : nanoseconds.zigZag << 1 | 1)
    }

    // MARK: Values that are written once

    /// Writes a value whose bytes do not depend on the values before it: zero and its bytes the first time, and the
    /// number of such values before it + 1 later.
    mutating func shared(_ kind: SharedKind, in write: (inout BodyWriter) -> Void) {
        let start = bytes.count
        byte(0)
        write(&self)
        // A copy: while a slice exists, a change to the bytes would copy all of them.
        let value = Array(bytes[(start + 1)...])
        if let index = sharedValues[kind]?[value] {
            bytes.removeLast(bytes.count - start)
            count(index + 1)
        } else {
            let index = sharedValues[kind]?.count ?? 0
            sharedValues[kind, default: [:]][value] = index
        }
    }

    /// Remembers the source of a cohort for the records that belong to it.
    mutating func note(_ source: CohortSource, of cohort: CohortID) {
        sources[cohort] = source
    }

    /// The source of a cohort that this body has written.
    func source(of cohort: CohortID) -> CohortSource? { sources[cohort] }
}
