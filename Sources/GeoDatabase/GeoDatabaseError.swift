/// A failure of a local database file, with a description that names the file and the reason.
package enum GeoDatabaseError: Error, Hashable, Sendable, CustomStringConvertible {
    case tooManyFiles(count: Int)
    /// The file cannot be opened or read; `reason` is the text of errno, or names the type of the file.
    case unreadable(path: String, reason: String)
    case tooLarge(path: String)
    /// The file was written to while it was copied.
    case changedWhileRead(path: String)
    /// The copy of the file does not fit into memory; `reason` is the text of errno.
    case noMemory(path: String, reason: String)
    /// The file is not an MMDB file, is truncated, or is damaged; `reason` is that of libmaxminddb or of this module.
    case invalid(path: String, reason: String)
    /// The data of an address cannot be decoded.
    case damaged(path: String, reason: String)

    package var description: String {
        switch self {
        case .tooManyFiles(let count):
            "\(count) MMDB files are configured; at most \(GeoDatabase.maxFiles) are possible"
        case .unreadable(let path, let reason):
            "cannot read the MMDB file \(path): \(reason)"
        case .tooLarge(let path):
            "the MMDB file \(path) is larger than \(GeoDatabase.maxFileBytes) bytes"
        case .changedWhileRead(let path):
            "the MMDB file \(path) changed while it was read; replace it by rename"
        case .noMemory(let path, let reason):
            "cannot copy the MMDB file \(path) into memory: \(reason)"
        case .invalid(let path, let reason):
            "\(path) is not a valid MMDB file: \(reason)"
        case .damaged(let path, let reason):
            "the MMDB file \(path) is damaged: \(reason)"
        }
    }

    /// Whether the contents of the file are the cause, so that reading the same file again gives the same error.
    var isOfTheContents: Bool {
        switch self {
        case .tooLarge, .invalid: true
        case .tooManyFiles, .unreadable, .changedWhileRead, .noMemory, .damaged: false
        }
    }
}
