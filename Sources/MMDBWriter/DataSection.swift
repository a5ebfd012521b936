/// The data section of an MMDB file. Each distinct value is written once, and the maps and arrays that contain it have
/// pointers to it.
struct DataSection {
    private(set) var bytes = ByteBlocks()
    private var index = OffsetIndex()
    /// The value or the members being stored, with pointers in place of the values that have been stored already.
    private var encoded: [UInt8] = []
    /// The number of members since `beginMembers`, and the key of the last one.
    private var (memberCount, lastKey) = (0, "")
    private var valuesLeft = 0
    private var textBytesLeft = 0
    /// Number of levels of maps and arrays in the value being stored.
    private var maxDepth = 0
    /// Longer values are stored once and pointed at, except for numbers. A pointer takes two to five bytes.
    private let maxInlineBytes: Int

    private let maxBytes: Int

    /// - Parameter isSharing: whether repeated values are written once.
    init(isSharing: Bool = true, maxBytes: Int = MMDBLimits.nodesAndBytes) {
        self.maxBytes = maxBytes
        maxInlineBytes = isSharing ? 4 : .max
    }

    /// Stores a value, and returns its offset. If the value is refused, parts of it may remain in the section, where
    /// nothing points at them.
    mutating func store(_ value: MMDBValue) throws(MMDBError) -> UInt32 {
        if case .stored(let stored) = value { return stored.offset }
        try encode(value)
        return try offset(of: encoded[...])
    }

    /// Stores a value that other ones will contain, and returns it in a form that is not encoded again. A number, and a
    /// value that is shorter than a pointer, is returned as it is.
    mutating func storePart(_ value: MMDBValue) throws(MMDBError) -> MMDBValue {
        if case .stored = value { return value }
        try encode(value)
        guard encoded.count > maxInlineBytes, !value.isNumber else { return value }
        return .stored(try storeEncoded())
    }

    private mutating func storeEncoded() throws(MMDBError) -> StoredValue {
        StoredValue(
            offset: try offset(of: encoded[...]), valueCount: MMDBLimits.valuesPerNetwork - valuesLeft,
            textBytes: MMDBLimits.textBytesPerNetwork - textBytesLeft, depth: maxDepth)
    }

    /// Stores the keys and the values of members that maps will contain.
    ///
    /// - Parameter members: in ascending order of their keys; those without a value are left out.
    mutating func store(members: KeyValuePairs<String, MMDBValue?>) throws(MMDBError) -> StoredMembers {
        beginMembers()
        for case (let key, let member?) in members {
            checkOrder(of: key)
            try append(.string(key), depth: 0)
            try append(member, depth: 0)
        }
        return endMembers()
    }

    /// Begins to store the members of a map, one at a time. Until `endMembers` or `endMap`, nothing else is stored.
    mutating func beginMembers() {
        clear()
        // The map's control byte.
        encoded.append(0)
        memberCount = 0
        lastKey = ""
    }

    /// Appends a member whose key has been stored. The members come in ascending order of their keys.
    mutating func appendMember(_ key: StoredKey, _ value: MMDBValue) throws(MMDBError) {
        checkOrder(of: key.text)
        try count(values: 1)
        try count(textBytes: key.text.utf8.count)
        encoded.append(contentsOf: key.bytes)
        try append(value, depth: 0)
    }

    /// Appends stored members. Their keys must be greater than those before them, which is not checked.
    mutating func appendMembers(_ members: StoredMembers) throws(MMDBError) {
        memberCount += members.count
        try append(members, depth: 0)
    }

    private mutating func checkOrder(of key: String) {
        precondition(memberCount == 0 || lastKey < key, "the keys are not in ascending order")
        memberCount += 1
        lastKey = key
    }

    /// Returns the members since `beginMembers`.
    func endMembers() -> StoredMembers {
        // A copy, without the spare capacity of the buffer.
        return StoredMembers(
            bytes: encoded.withUnsafeBytes { Array($0.dropFirst()) }, count: memberCount,
            valueCount: MMDBLimits.valuesPerNetwork - valuesLeft,
            textBytes: MMDBLimits.textBytesPerNetwork - textBytesLeft, depth: maxDepth)
    }

    /// Stores a map of the members since `beginMembers`, unless it is shorter than a pointer; returns nil if there are
    /// no members.
    mutating func endMap() throws(MMDBError) -> MMDBValue? {
        guard memberCount > 0 else { return nil }
        guard encoded.count > maxInlineBytes else { return .members([endMembers()]) }
        try count(values: 1)
        try enter(depth: maxDepth + 1)
        var control: [UInt8] = []
        control.appendControl(.map, size: memberCount)
        encoded.replaceSubrange(..<1, with: control)
        return .stored(try storeEncoded())
    }

    /// Stores a key that many maps contain.
    mutating func store(key: String) throws(MMDBError) -> StoredKey {
        clear()
        try append(.string(key), depth: 0)
        return StoredKey(text: key, bytes: encoded.withUnsafeBytes { Array($0) })
    }

    /// Replaces the encoded value.
    private mutating func encode(_ value: MMDBValue) throws(MMDBError) {
        clear()
        try encode(value, depth: 0)
    }

    private mutating func clear() {
        encoded.removeAll(keepingCapacity: true)
        valuesLeft = MMDBLimits.valuesPerNetwork
        textBytesLeft = MMDBLimits.textBytesPerNetwork
        maxDepth = 0
    }

    /// Appends an encoded value, with its members or elements as pointers if they are long.
    ///
    /// - Parameter depth: the number of maps and arrays around the value.
    private mutating func encode(_ value: MMDBValue, depth: Int) throws(MMDBError) {
        try count(values: 1)
        switch value {
        case .string(let text): try encode(text)
        case .double(let number):
            encoded.appendControl(.double, size: 8)
            encoded.appendBytes(of: number.bitPattern, count: 8)
        case .boolean(let flag): encoded.appendControl(.boolean, size: flag ? 1 : 0)
        case .uint16(let number): encoded.appendInteger(.uint16, UInt64(number))
        case .uint32(let number): encoded.appendInteger(.uint32, UInt64(number))
        case .uint64(let number): encoded.appendInteger(.uint64, number)
        case .map(let members):
            try enter(depth: depth + 1)
            encoded.appendControl(.map, size: members.count)
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                try append(.string(key), depth: depth + 1)
                try append(member, depth: depth + 1)
            }
        case .array(let elements):
            try enter(depth: depth + 1)
            encoded.appendControl(.array, size: elements.count)
            for element in elements { try append(element, depth: depth + 1) }
        case .stored(let stored):
            try count(values: stored.valueCount - 1)
            try count(textBytes: stored.textBytes)
            try enter(depth: depth + stored.depth)
            encoded.appendPointer(to: stored.offset)
        case .members(let parts):
            try enter(depth: depth + 1)
            encoded.appendControl(.map, size: parts.reduce(0) { $0 + $1.count })
            for part in parts { try append(part, depth: depth + 1) }
        }
    }

    /// - Parameter depth: the number of maps and arrays around the members.
    private mutating func append(_ members: StoredMembers, depth: Int) throws(MMDBError) {
        try count(values: members.valueCount)
        try count(textBytes: members.textBytes)
        try enter(depth: depth + members.depth)
        encoded.append(contentsOf: members.bytes)
    }

    private mutating func count(values: Int) throws(MMDBError) {
        valuesLeft -= values
        guard valuesLeft >= 0 else { throw .tooManyValues }
    }

    private mutating func count(textBytes: Int) throws(MMDBError) {
        textBytesLeft -= textBytes
        guard textBytesLeft >= 0 else { throw .tooMuchText }
    }

    private mutating func enter(depth: Int) throws(MMDBError) {
        guard depth <= MMDBLimits.depth else { throw .tooDeep }
        maxDepth = max(maxDepth, depth)
    }

    private mutating func encode(_ text: String) throws(MMDBError) {
        let bytes = text.utf8
        try count(textBytes: bytes.count)
        encoded.appendControl(.string, size: bytes.count)
        encoded.append(contentsOf: bytes)
    }

    /// Appends a member or an element: the value itself or a pointer to it.
    private mutating func append(_ value: MMDBValue, depth: Int) throws(MMDBError) {
        let start = encoded.count
        try encode(value, depth: depth)
        // Pointers themselves are not stored for reuse, although the longest takes five bytes: the format forbids
        // pointers to pointers.
        if case .stored = value { return }
        guard encoded.count - start > maxInlineBytes, !value.isNumber else { return }
        let offset = try offset(of: encoded[start...])
        encoded.removeLast(encoded.count - start)
        encoded.appendPointer(to: offset)
    }

    /// Returns the offset of an encoded value, which is written unless the section contains it.
    ///
    /// Equal values have equal bytes, because the pointers in them refer to unique values. The bytes of no value begin
    /// with those of another one.
    private mutating func offset(of value: ArraySlice<UInt8>) throws(MMDBError) -> UInt32 {
        var hasher = Hasher()
        value.withUnsafeBytes { hasher.combine(bytes: $0) }
        let hash = UInt32(truncatingIfNeeded: hasher.finalize())
        let found = index.offset(hash: hash) { bytes.contains(value, at: Int($0)) }
        if let found { return found }
        let offset = bytes.count
        guard offset + value.count <= maxBytes else { throw .databaseTooLarge }
        bytes.append(value)
        index.insert(hash: hash, offset: UInt32(offset))
        return UInt32(offset)
    }
}
