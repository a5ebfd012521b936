/// A violation of the MaxMind DB format, or of the limits of `ValueReader`, in the data of an address or the metadata.
enum DataProblem: Error, Hashable, CustomStringConvertible {
    case outOfBounds
    case pointerToPointer
    case invalidKey
    case invalidType(Int)
    case invalidSize(Int, of: String)
    case tooDeep
    case tooManyValues

    var description: String {
        switch self {
        case .outOfBounds: "a value extends beyond the end of its section"
        case .pointerToPointer: "a pointer leads to another pointer"
        case .invalidKey: "the key of a map is not a string"
        case .invalidType(let number): "unknown value type \(number)"
        case .invalidSize(let bytes, let type): "\(type) of \(bytes) bytes"
        case .tooDeep: "maps and arrays are nested more than \(ValueReader.maxDepth) levels deep"
        case .tooManyValues: "more than \(ValueReader.maxValues) values"
        }
    }
}
