/// An error in the content of an MMDB file, or content that the format or its readers cannot hold.
package enum MMDBError: Error, Hashable, Sendable, CustomStringConvertible {
    case invalidPrefixLength(Int)
    case invalidAddressLength(Int)
    /// A value has more than `MMDBLimits.depth` levels of maps and arrays.
    case tooDeep
    /// The value of a network consists of more than `MMDBLimits.valuesPerNetwork` values.
    case tooManyValues
    /// The value of a network contains strings of more than `MMDBLimits.textBytesPerNetwork` bytes in all.
    case tooMuchText
    /// The metadata section has more than `MMDBLimits.metadataBytes`.
    case metadataTooLarge(bytes: Int)
    /// The search tree and the data section are larger than a tree record of 32 bits can address.
    case databaseTooLarge

    package var description: String {
        switch self {
        case .invalidPrefixLength(let length): "invalid prefix length \(length): expected 0 to 128"
        case .invalidAddressLength(let count): "invalid address of \(count) bytes: expected 16"
        case .tooDeep: "more than \(MMDBLimits.depth) nested maps and arrays"
        case .tooManyValues: "more than \(MMDBLimits.valuesPerNetwork) values for one network"
        case .tooMuchText: "more than \(MMDBLimits.textBytesPerNetwork) bytes of text for one network"
        case .metadataTooLarge(let bytes): "metadata of \(bytes) bytes; the limit is \(MMDBLimits.metadataBytes)"
        case .databaseTooLarge: "too many networks or values: the format addresses at most 4 GiB"
        }
    }
}
