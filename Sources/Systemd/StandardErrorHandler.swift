// Provides `timespec`, which some builds find in the headers of libsystemd, and others in those of the C library.
import CSystemd
import Glibc
package import Logging

/// Writes log messages to standard error, one line per message, for interactive use and for hosts without a journal.
///
///     2026-11-21T08:30:00.123Z warning network lost: no route IPRECORD_EVENT=networkLost MESSAGE_ID=202c…
///
/// If journald reads standard error, each line begins with its level instead, such as `<4>`, which journald interprets
/// and removes (sd-daemon(3)).
package struct StandardErrorHandler: LogHandler {
    package var logLevel: Logger.Level = .info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let hasPrefix: Bool
    private let descriptor: Int32

    /// - Parameters:
    ///   - hasPrefix: whether lines begin with a level as in sd-daemon(3), and have no time.
    ///   - descriptor: the descriptor to write to, which the caller owns and keeps open.
    package init(hasPrefix: Bool = false, descriptor: Int32 = STDERR_FILENO) {
        self.hasPrefix = hasPrefix
        self.descriptor = descriptor
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        write(event, metadata: event.metadata(over: metadata, metadataProvider))
    }

    /// Writes a message. If the write fails, the message is lost.
    ///
    /// - Parameter metadata: all metadata of the message, used instead of the event's own metadata.
    func write(_ event: LogEvent, metadata: Logger.Metadata) {
        let line = Self.line(event, metadata: metadata, hasPrefix: hasPrefix)
        // journald adds a time to each line.
        let bytes = Array(((hasPrefix ? "" : Self.time + " ") + line + "\n").utf8)
        var rest = bytes[...]
        // One write per line, so that lines of several writers are not mixed (up to PIPE_BUF on a pipe).
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                // There is no other destination to report this error to.
                return
            }
        }
    }

    /// The current time in UTC, in milliseconds (RFC 3339).
    private static var time: String {
        var (now, parts) = (timespec(), tm())
        // CLOCK_REALTIME cannot fail with a valid pointer (clock_gettime(2)).
        clock_gettime(CLOCK_REALTIME, &now)
        gmtime_r(&now.tv_sec, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
        let whole = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let milliseconds = String(now.tv_nsec / 1_000_000)
        return "\(whole).\(String(repeating: "0", count: 3 - milliseconds.count))\(milliseconds)Z"
    }

    /// Returns a message as one line, without the time and the line feed.
    package static func line(_ event: LogEvent, metadata: Logger.Metadata, hasPrefix: Bool) -> String {
        var line = hasPrefix ? "<\(event.level.priority)>" : "\(event.level.rawValue) "
        line += escaped(event.message.description)
        var pairs = metadata.sorted { $0.key < $1.key }.map { (key: $0.key, value: "\($0.value)") }
        if let error = event.error { pairs.append((key: "error", value: "\(error)")) }
        for (anyKey, value) in pairs {
            let key = escaped(anyKey).replacing(" ", with: "_")
            let text = escaped(value)
            let isBare = !value.isEmpty && !value.contains { $0 == " " || $0 == "\"" || $0 == "=" }
            line += isBare ? " \(key)=\(text)" : " \(key)=\"\(text.replacing("\"", with: "\\\""))\""
        }
        return line
    }

    /// Escapes control characters as `\n`, `\t` or `\u{1b}`, and backslashes, so that a message stays on one line and
    /// cannot control a terminal.
    private static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { $0.isControl || $0 == "\\" }) else {
            return text
        }
        return text.unicodeScalars.map { scalar in
            switch scalar {
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case "\\": "\\\\"
            default:
                scalar.isControl
                    ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
        }.joined()
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control character (C0, DEL or C1), that is, in the general category Cc. Looking up the
    /// category would take most of the time needed to write a line.
    var isControl: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        default: false
        }
    }
}
