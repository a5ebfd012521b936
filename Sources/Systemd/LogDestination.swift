import Glibc
package import Logging

/// Where log messages go.
package enum LogDestination: Hashable, Sendable {
    /// The journal, by its native protocol, with all fields.
    case journal
    /// Standard error, which journald reads without its native protocol being there.
    case journalStream
    /// Standard error, which a person or another program reads.
    case standardError

    /// What the process should do as it was started.
    ///
    /// Whoever is started by hand writes to the terminal, even where there is a journal; so does a child of a service
    /// that inherited its environment, since neither the stream nor the process id are its own.
    package static var current: LogDestination { choose(hasJournal: access(journalSocket, W_OK) == 0) }

    /// The destination of messages that a process sends right before it ends: never the journal's native protocol.
    ///
    /// journald looks up the unit of a native message by the process id, and finds none once the process has ended. A
    /// stream, in contrast, belongs to the unit from its beginning.
    package static var currentBeforeExit: LogDestination { choose(hasJournal: false) }

    private static func choose(hasJournal: Bool) -> LogDestination {
        var status = stat()
        let isOpen = fstat(STDERR_FILENO, &status) == 0
        return choose(
            journalStream: environment("JOURNAL_STREAM"), execPID: environment("SYSTEMD_EXEC_PID"),
            standardError: isOpen ? (device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) : nil,
            pid: getpid(), hasJournal: hasJournal)
    }

    /// - Parameters:
    ///   - journalStream: $JOURNAL_STREAM, `device:inode` of the stream that the manager gave (systemd.exec(5)).
    ///   - execPID: $SYSTEMD_EXEC_PID, the process that the manager started.
    ///   - standardError: what fstat(2) says of it; nil where it is closed.
    ///   - hasJournal: whether the journal's native socket is there.
    package static func choose(
        journalStream: String?, execPID: String?, standardError: (device: UInt64, inode: UInt64)?, pid: Int32,
        hasJournal: Bool
    ) -> LogDestination {
        let isStream = standardError.map { "\($0.device):\($0.inode)" == journalStream } ?? false
        let isStartedByManager = isStream || execPID == String(pid)
        if isStartedByManager && hasJournal { return .journal }
        return isStream ? .journalStream : .standardError
    }

    /// A handler that writes there.
    ///
    /// - Parameter identifier: the program's name in the journal.
    package func handler(identifier: String) -> any LogHandler {
        switch self {
        case .journal: JournalHandler(identifier: identifier)
        case .journalStream: StandardErrorHandler(hasPrefix: true)
        case .standardError: StandardErrorHandler()
        }
    }

    private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    private static let journalSocket = "/run/systemd/journal/socket"
}
