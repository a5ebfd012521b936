import RecordKeeping

/// Reads the bytes that `BodyWriter` writes, and any other bytes without a trap.
///
/// Before it allocates memory for a list, it checks that the bytes that are left can contain the elements.
struct BodyReader {
    private let bytes: [UInt8]
    private var position = 0
    private var texts: [String] = []
    private var chain = ValueChain()
    private var sources: [CohortID: CohortSource] = [:]
    private(set) var labels: [Interned<WatchLabel>] = []
    private(set) var places: [Interned<Place>] = []
    private(set) var networks: [Interned<Network>] = []
    /// The number of elements for which `count(of:)` has permitted an allocation, for tests.
    private(set) var permitted = 0

    /// Reads the version and the texts.
    init(_ bytes: [UInt8]) throws(BodyError) {
        self.bytes = bytes
        guard bytes.count <= BodyLimits.maxBytes else {
            throw .tooLarge(bytes.count, limit: BodyLimits.maxBytes, of: "bytes")
        }
        let version = Int(try byte())
        guard version == BodyLimits.version else { throw .unknownVersion(version) }
        let count = try count(of: 1)
        texts.reserveCapacity(count)
        for _ in 0..<count { texts.append(try plainText(of: try unsigned())) }
    }

    var bytesLeft: Int { bytes.count - position }

    /// - Throws: `BodyError.trailingBytes` unless everything has been read.
    func checkEnd() throws(BodyError) {
        guard bytesLeft == 0 else { throw .trailingBytes(bytesLeft) }
    }

    // MARK: Numbers

    mutating func byte() throws(BodyError) -> UInt8 {
        guard position < bytes.count else { throw .truncated }
        defer { position += 1 }
        return bytes[position]
    }

    /// Reads a byte whose bits above `mask` are not set.
    mutating func flags(_ mask: UInt8, of kind: String) throws(BodyError) -> UInt8 {
        let flags = try byte()
        guard flags & ~mask == 0 else { throw .unknownCode(UInt64(flags), of: kind) }
        return flags
    }

    mutating func unsigned() throws(BodyError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let next = try byte()
            // The tenth byte has only one bit.
            guard shift < 63 || next <= 1 else { throw .invalidInteger }
            value |= UInt64(next & 0x7F) << shift
            guard next & 0x80 != 0 else {
                guard next != 0 || shift == 0 else { throw .invalidInteger }
                return value
            }
        }
        throw .invalidInteger
    }

    mutating func signed() throws(BodyError) -> Int64 { Int64(zigZag: try unsigned()) }

    mutating func fixed() throws(BodyError) -> UInt64 {
        guard bytesLeft >= 8 else { throw .truncated }
        defer { position += 8 }
        return bytes[position..<position + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads the number of elements of a list.
    ///
    /// - Parameter minBytes: the minimum length of an element.
    mutating func count(of minBytes: Int) throws(BodyError) -> Int {
        let count = try unsigned()
        guard count <= UInt64(bytesLeft / minBytes) else { throw .truncated }
        permitted += Int(count)
        return Int(count)
    }

    mutating func number() throws(BodyError) -> Int {
        let number = try signed()
        guard number.magnitude <= UInt64(BodyLimits.maxCount) else { throw .outOfRange("count") }
        return Int(number)
    }

    // MARK: Texts

    private mutating func plainText(of count: UInt64) throws(BodyError) -> String {
        guard count <= UInt64(bytesLeft) else { throw .truncated }
        defer { position += Int(count) }
        guard let text = String(validating: bytes[position..<position + Int(count)], as: UTF8.self) else {
            throw .invalidText
        }
        return text
    }

    mutating func plainText() throws(BodyError) -> String? {
        let count = try unsigned()
        return count == 0 ? nil : try plainText(of: count - 1)
    }

    mutating func text() throws(BodyError) -> String { try text(at: try unsigned()) }

    mutating func optionalText() throws(BodyError) -> String? {
        let reference = try unsigned()
        return reference == 0 ? nil : try text(at: reference - 1)
    }

    private func text(at index: UInt64) throws(BodyError) -> String {
        let known = TextTable.known
        if index < UInt64(known.count) { return known[Int(index)] }
        guard index - UInt64(known.count) < UInt64(texts.count) else { throw .unknownReference(index, to: "text") }
        return texts[Int(index) - known.count]
    }

    mutating func name() throws(BodyError) -> HostName {
        let text = try text()
        guard let name = try? HostName(text), name.description == text else { throw .invalidName(text) }
        return name
    }

    // MARK: Values relative to the previous one

    mutating func entryID() throws(BodyError) -> EntryID {
        chain.entry &+= try signed()
        return EntryID(number: chain.entry)
    }

    mutating func cohortID() throws(BodyError) -> CohortID {
        chain.cohort &+= try signed()
        return CohortID(number: chain.cohort)
    }

    mutating func address() throws(BodyError) -> IPAddress {
        let distance = try unsigned()
        if distance > 1 {
            guard let address = chain.address(at: distance) else { throw .outOfRange("address") }
            chain.address = address
        } else {
            let length = distance == 0 ? 4 : 16
            guard bytesLeft >= length else { throw .truncated }
            defer { position += length }
            guard let address = IPAddress(networkOrder: bytes[position..<position + length]) else { throw .truncated }
            chain.address = address
        }
        return chain.address
    }

    mutating func addresses() throws(BodyError) -> [IPAddress] {
        let count = try count(of: 1)
        var addresses: [IPAddress] = []
        addresses.reserveCapacity(count)
        for _ in 0..<count { addresses.append(try address()) }
        return addresses
    }

    mutating func wall() throws(BodyError) -> WallTime {
        chain.wall = try sum(chain.wall, try signed(), within: BodyLimits.maxMilliseconds)
        return WallTime(milliseconds: chain.wall)
    }

    mutating func instant() throws(BodyError) -> Instant {
        let boot = try sum(chain.instant.boot, try signed(), within: BodyLimits.maxNanoseconds)
        let wall = try sum(chain.expectedWall(at: boot), try signed(), within: BodyLimits.maxMilliseconds)
        chain.set(boot: boot, wall: wall)
        return Instant(boot: BootTime(nanoseconds: boot), wall: WallTime(milliseconds: wall))
    }

    mutating func duration() throws(BodyError) -> Duration {
        let value = try unsigned()
        let number = Int64(zigZag: value >> 1)
        let limit = BodyLimits.maxNanoseconds / (value & 1 == 0 ? 1_000_000 : 1)
        guard number.magnitude <= limit.magnitude else { throw .outOfRange("duration") }
        return value & 1 == 0 ? .milliseconds(number) : .nanoseconds(number)
    }

    private func sum(_ previous: Int64, _ difference: Int64, within bound: Int64) throws(BodyError) -> Int64 {
        let (sum, overflow) = previous.addingReportingOverflow(difference)
        guard !overflow, sum.magnitude <= bound.magnitude else { throw .outOfRange("time") }
        return sum
    }

    // MARK: Values that are written once

    /// Returns the value to which a reference refers; nil if the value follows.
    private mutating func reference<Value>(to values: [Value], _ kind: String) throws(BodyError) -> Value? {
        let reference = try unsigned()
        guard reference > 0 else { return nil }
        guard reference <= UInt64(values.count) else { throw .unknownReference(reference - 1, to: kind) }
        return values[Int(reference) - 1]
    }

    mutating func label() throws(BodyError) -> Interned<WatchLabel> {
        if let label = try reference(to: labels, "label") { return label }
        labels.append(Interned(try newLabel()))
        return labels[labels.count - 1]
    }

    mutating func place() throws(BodyError) -> Interned<Place> {
        if let place = try reference(to: places, "place") { return place }
        places.append(Interned(try newPlace()))
        return places[places.count - 1]
    }

    mutating func network() throws(BodyError) -> Interned<Network> {
        if let network = try reference(to: networks, "network") { return network }
        networks.append(Interned(try newNetwork()))
        return networks[networks.count - 1]
    }

    mutating func note(_ source: CohortSource, of cohort: CohortID) {
        sources[cohort] = source
    }

    func source(of cohort: CohortID) throws(BodyError) -> CohortSource {
        guard let source = sources[cohort] else {
            throw .unknownReference(UInt64(bitPattern: cohort.number), to: "cohort")
        }
        return source
    }
}
