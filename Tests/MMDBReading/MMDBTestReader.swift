/// A reader of MMDB files that shares no code with the writer: a plain reading of the specification, without checks.
package struct MMDBTestReader {
    /// A value as text that shows its type, such as `{a=u16:1,b="x"}`, with members in the order of the file.
    package typealias Text = String

    private let file: [UInt8]
    package let metadata: [String: Text]
    package let nodeCount: Int
    package let recordSize: Int
    private var dataStart: Int { nodeCount * recordSize / 4 + 16 }

    private static let marker: [UInt8] = [0xAB, 0xCD, 0xEF] + Array("MaxMind.com".utf8)

    package init?(_ file: [UInt8]) {
        self.file = file
        let positions = file.indices.reversed().lazy.filter { file[$0...].starts(with: Self.marker) }
        guard let start = positions.first.map({ $0 + Self.marker.count }) else { return nil }
        var offset = start
        metadata = Dictionary(uniqueKeysWithValues: Self.members(file, at: &offset, base: start))
        guard offset == file.count, let nodes = metadata["node_count"]?.dropFirst(4), let count = Int(nodes),
            let bits = metadata["record_size"]?.dropFirst(4), let size = Int(bits)
        else { return nil }
        (nodeCount, recordSize) = (count, size)
    }

    /// Returns the value of an address, and the number of bits that led to it or to an empty record.
    package func lookUp(_ address: UInt128) -> (value: Text?, prefixLength: Int) {
        var (record, depth) = (0, 0)
        while record < nodeCount {
            record = child(of: record, isRight: address >> UInt128(127 - depth) & 1 == 1)
            depth += 1
        }
        guard record > nodeCount else { return (nil, depth) }
        var offset = record - nodeCount - 16 + dataStart
        return (Self.value(file, at: &offset, base: dataStart), depth)
    }

    private func child(of node: Int, isRight: Bool) -> Int {
        let bytes = file[(node * recordSize / 4)...].prefix(recordSize / 4).map(Int.init)
        func number(_ bytes: some Sequence<Int>) -> Int { bytes.reduce(0) { $0 << 8 | $1 } }
        if recordSize == 28 {
            return isRight
                ? (bytes[3] & 15) << 24 | number(bytes[4...]) : (bytes[3] >> 4) << 24 | number(bytes[..<3])
        }
        return number(isRight ? bytes[(bytes.count / 2)...] : bytes[..<(bytes.count / 2)])
    }

    private static func members(_ file: [UInt8], at offset: inout Int, base: Int) -> [(String, Text)] {
        let (_, size) = control(file, at: &offset)
        return (0..<size).map { _ in
            let key = value(file, at: &offset, base: base).dropFirst().dropLast()
            return (String(key), value(file, at: &offset, base: base))
        }
    }

    private static func control(_ file: [UInt8], at offset: inout Int) -> (type: Int, size: Int) {
        let first = Int(file[offset])
        offset += 1
        var type = first >> 5
        if type == 0 {
            type = Int(file[offset]) + 7
            offset += 1
        }
        if type == 1 { return (1, first & 31) }
        let extra = max(0, first & 31 - 28)
        let bases = [first & 31, 29, 285, 65_821]
        return (type, bases[extra] + Int(number(file, at: &offset, count: extra)))
    }

    private static func number(_ file: [UInt8], at offset: inout Int, count: Int) -> UInt64 {
        defer { offset += count }
        return file[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func value(_ file: [UInt8], at offset: inout Int, base: Int) -> Text {
        let start = offset
        let (type, size) = control(file, at: &offset)
        switch type {
        case 1:
            let rest = Int(number(file, at: &offset, count: size >> 3 + 1))
            let high = size >> 3 == 3 ? 0 : (size & 7) << (8 * (size >> 3 + 1))
            var target = base + [0, 2_048, 526_336, 0][size >> 3] + high + rest
            return file[target] >> 5 == 1 ? "pointer to a pointer" : value(file, at: &target, base: base)
        case 2:
            defer { offset += size }
            return "\"" + String(decoding: file[offset..<offset + size], as: UTF8.self) + "\""
        case 3: return "f:" + String(number(file, at: &offset, count: 8), radix: 16)
        case 5: return "u16:\(number(file, at: &offset, count: size))"
        case 6: return "u32:\(number(file, at: &offset, count: size))"
        case 9: return "u64:\(number(file, at: &offset, count: size))"
        case 7:
            offset = start
            let members = members(file, at: &offset, base: base)
            return "{" + members.map { "\($0)=\($1)" }.joined(separator: ",") + "}"
        case 11:
            let elements = (0..<size).map { _ in value(file, at: &offset, base: base) }
            return "[" + elements.joined(separator: ",") + "]"
        case 14: return size == 1 ? "true" : "false"
        default: return "unknown type \(type)"
        }
    }
}
