import CSystemd
import Glibc
package import Logging

/// Sends log messages with all their fields to the journal, by its native protocol (sd_journal_sendv(3)).
///
/// Metadata becomes fields; for example, `address` becomes the field `ADDRESS`. Names such as `MESSAGE_ID` stay as they
/// are. A message that cannot be sent to the journal is written to standard error.
package struct JournalHandler: LogHandler {
    package var logLevel: Logger.Level = .info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let identifier: String
    private let fallback: StandardErrorHandler

    /// - Parameter identifier: the program's name, for SYSLOG_IDENTIFIER.
    package init(identifier: String) {
        self.identifier = identifier
        fallback = StandardErrorHandler()
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = event.metadata(over: metadata, metadataProvider)
        let fields = JournalField.fields(of: event, metadata: all, identifier: identifier)
        if Self.send(fields) < 0 { fallback.write(event, metadata: all) }
    }

    /// - Returns: 0, or a negative errno.
    private static func send(_ fields: [JournalField]) -> Int32 {
        var bytes: [UInt8] = []
        var ranges: [Range<Int>] = []
        for field in fields {
            let start = bytes.count
            bytes += field.bytes
            ranges.append(start..<bytes.count)
        }
        return bytes.withUnsafeMutableBytes { buffer in
            // sd_journal_sendv only reads the bytes, although `iovec` has no const.
            let vectors = ranges.map { range in
                iovec(iov_base: buffer.baseAddress.map { $0 + range.lowerBound }, iov_len: range.count)
            }
            return sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }
}

extension LogEvent {
    /// Merges the metadata of the message, of the metadata provider and of the logger, in this order of precedence.
    ///
    /// - Parameter base: the logger's metadata.
    func metadata(over base: Logger.Metadata, _ provider: Logger.MetadataProvider?) -> Logger.Metadata {
        var all = base
        if let provider { all.merge(provider.get()) { $1 } }
        if let metadata { all.merge(metadata) { $1 } }
        return all
    }
}
