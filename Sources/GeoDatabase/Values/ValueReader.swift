/// Finds the values at given paths in a data section, in one pass, with bounded work for any contents.
///
/// The functions of libmaxminddb that decode values have no such bounds: `MMDB_get_value` recurses once per level of
/// nested maps, without a limit, and `MMDB_get_entry_data_list` follows pointers to shared maps without a limit on the
/// number of values.
struct ValueReader {
    /// Maximum number of nested maps, arrays and pointers. The databases of MaxMind have five.
    static let maxDepth = 32
    /// Maximum number of values and keys, including those that are skipped, except behind pointers. It is the limit of
    /// libmaxminddb 1.14 for the data of an address.
    static let maxValues = 65_536

    /// The values, by the index of their path.
    private(set) var found: [FoundValue?]
    private var valueCount = 0
    /// Whether pointers are followed even if nothing behind them is searched.
    private let isComplete: Bool

    private init(pathCount: Int, isComplete: Bool) {
        found = Array(repeating: nil, count: pathCount)
        self.isComplete = isComplete
    }

    /// Returns the values of the value at an offset, by the index of their path; nil for a missing value, for one of
    /// another type, and for a string that is not valid UTF-8.
    ///
    /// - Parameter isComplete: whether everything is decoded, also values that are not searched.
    static func values(
        of section: Span<UInt8>, at offset: Int, paths: PathTree, pathCount: Int, isComplete: Bool = false
    ) throws(DataProblem) -> [FoundValue?] {
        var reader = ValueReader(pathCount: pathCount, isComplete: isComplete)
        _ = try reader.read(section, at: offset, paths, depth: 0)
        return reader.found
    }

    /// Reads the value at an offset, and returns the offset of the next one.
    private mutating func read(
        _ section: Span<UInt8>, at offset: Int, _ paths: PathTree?, depth: Int
    ) throws(DataProblem) -> Int {
        valueCount += 1
        guard valueCount <= Self.maxValues else { throw .tooManyValues }
        let header = try ValueHeader(section, at: offset)
        guard header.kind == .pointer else { return try readTarget(section, header, paths, depth: depth) }
        guard paths != nil || isComplete else { return header.end }
        let target = try ValueHeader(section, at: header.size)
        guard target.kind != .pointer else { throw .pointerToPointer }
        _ = try readTarget(section, target, paths, depth: depth + 1)
        return header.end
    }

    /// Reads a value that is not a pointer, and returns the offset of the next one.
    private mutating func readTarget(
        _ section: Span<UInt8>, _ header: ValueHeader, _ paths: PathTree?, depth: Int
    ) throws(DataProblem) -> Int {
        guard depth <= Self.maxDepth else { throw .tooDeep }
        switch header.kind {
        case .map:
            return try readMap(section, header, paths, depth: depth)
        case .array:
            var offset = header.end
            for index in 0..<header.size {
                let element = index == 0 ? paths?.element.first : nil
                offset = try read(section, at: offset, element, depth: depth + 1)
            }
            return offset
        case .boolean:
            keep(.boolean(header.size != 0), for: paths)
            return header.end
        default:
            guard header.size <= section.count - header.end else { throw .outOfBounds }
            if paths?.path != nil { keep(try Self.scalar(section, header), for: paths) }
            return header.end + header.size
        }
    }

    /// Keeps the first value of a path: libmaxminddb uses the first one as well if a map contains a key twice.
    private mutating func keep(_ value: FoundValue?, for paths: PathTree?) {
        guard let path = paths?.path, found[path] == nil else { return }
        found[path] = value
    }

    private mutating func readMap(
        _ section: Span<UInt8>, _ header: ValueHeader, _ paths: PathTree?, depth: Int
    ) throws(DataProblem) -> Int {
        var offset = header.end
        for _ in 0..<header.size {
            valueCount += 1
            guard valueCount <= Self.maxValues else { throw .tooManyValues }
            var key = try ValueHeader(section, at: offset)
            offset = key.end
            if key.kind == .pointer { key = try ValueHeader(section, at: key.size) } else { offset += key.size }
            guard key.kind == .string else { throw .invalidKey }
            guard key.size <= section.count - key.end else { throw .outOfBounds }
            let range = key.end..<key.end + key.size
            if let names = paths?.names {
                let other = found[names]
                if Self.bytes(section, in: range, equal: Self.english) { found[names] = nil }
                offset = try read(section, at: offset, .leaf(names), depth: depth + 1)
                found[names] = found[names] ?? other
            } else {
                let child = paths?.children.first { Self.bytes(section, in: range, equal: $0.key) }
                offset = try read(section, at: offset, child?.tree, depth: depth + 1)
            }
        }
        return offset
    }

    private static let english = Array("en".utf8)

    private static func bytes(_ section: Span<UInt8>, in range: Range<Int>, equal key: [UInt8]) -> Bool {
        guard range.count == key.count else { return false }
        for index in key.indices where section[range.lowerBound + index] != key[index] { return false }
        return true
    }

    /// Returns a string or a number whose bytes are in the section; nil for other types and invalid UTF-8.
    private static func scalar(_ section: Span<UInt8>, _ header: ValueHeader) throws(DataProblem) -> FoundValue? {
        func number(_ sizes: ClosedRange<Int>, _ type: String) throws(DataProblem) -> UInt64 {
            guard sizes.contains(header.size) else { throw .invalidSize(header.size, of: type) }
            return try ValueHeader.number(section, at: header.end, count: header.size)
        }
        switch header.kind {
        case .string:
            let text = section.extracting(header.end..<header.end + header.size)
            return text.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }.map { .string($0) }
        case .double: return .double(Double(bitPattern: try number(8...8, "double")))
        case .float: return .double(Double(Float(bitPattern: UInt32(try number(4...4, "float")))))
        case .uint16: return .unsigned(try number(0...2, "uint16"))
        case .uint32: return .unsigned(try number(0...4, "uint32"))
        case .uint64: return .unsigned(try number(0...8, "uint64"))
        case .pointer, .bytes, .map, .int32, .uint128, .array, .boolean: return nil
        }
    }
}
