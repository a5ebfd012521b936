import CSystemd
import Glibc
package import Logging

/// Sends log messages to the journal with all their fields, by its native protocol: sd_journal_sendv(3).
///
/// Metadata becomes fields: `MESSAGE_ID`, `IPRECORD_EVENT` and the like as they are, `address` as `ADDRESS`. What the
/// journal does not take goes to standard error.
package struct JournalHandler: LogHandler {
    package var logLevel: Logger.Level = .info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let identifier: String
    private let fallback: StandardErrorHandler

    /// - Parameter identifier: the program's name, as SYSLOG_IDENTIFIER.
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
            // sd_journal_sendv only reads; its vectors are iovec, which has no const.
            let vectors = ranges.map { range in
                iovec(iov_base: buffer.baseAddress.map { $0 + range.lowerBound }, iov_len: range.count)
            }
            return sd_journal_sendv(vectors, Int32(vectors.count))
        }
    }
}

extension LogEvent {
    /// The message's own metadata over the provider's over the logger's.
    func metadata(over base: Logger.Metadata, _ provider: Logger.MetadataProvider?) -> Logger.Metadata {
        var all = base
        if let provider { all.merge(provider.get()) { $1 } }
        if let metadata { all.merge(metadata) { $1 } }
        return all
    }
}
