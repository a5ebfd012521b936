package import MMDBWriter

extension MMDBValue {
    /// The text of a value in the form of `MMDBTestReader`.
    package var text: MMDBTestReader.Text {
        switch self {
        case .string(let text): "\"" + text + "\""
        case .double(let number): "f:" + String(number.bitPattern, radix: 16)
        case .boolean(let flag): "\(flag)"
        case .uint16(let number): "u16:\(number)"
        case .uint32(let number): "u32:\(number)"
        case .uint64(let number): "u64:\(number)"
        case .map(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\($0)=\($1.text)" }.joined(separator: ",") + "}"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .stored, .members: "stored"
        }
    }
}
