/// A value of a data section, without maps and arrays.
enum FoundValue: Hashable {
    case string(String)
    /// A number of the types double and float.
    case double(Double)
    /// A number of the types uint16, uint32 and uint64.
    case unsigned(UInt64)
    case boolean(Bool)
}
