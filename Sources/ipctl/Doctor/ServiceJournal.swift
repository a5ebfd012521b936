import Glibc

/// The journal of the system service.
enum ServiceJournal {
    /// The last error that the daemon logged within five minutes; nil if there is none, or if the user may not read the
    /// journal. A connection starts the daemon, so an error at startup is recent.
    static var lastError: String? {
        let command = "journalctl -q -u iprecordd -p err --since -5min -n 1 -o cat SYSLOG_IDENTIFIER=iprecordd"
        return firstLine(of: command)
    }

    /// Returns the first line that a command prints; nil if it prints nothing, or if the line is empty.
    static func firstLine(of command: String) -> String? {
        guard let stream = popen("exec \(command) 2>/dev/null", "re") else { return nil }
        defer { pclose(stream) }
        var line = [CChar](repeating: 0, count: 4_096)
        guard fgets(&line, Int32(line.count), stream) != nil else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}
