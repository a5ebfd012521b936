import Glibc
package import Logging

/// A destination for log messages.
package enum LogDestination: Hashable, Sendable {
    /// The journal, by its native protocol, with all fields.
    case journal
    /// Standard error, which journald reads; used if the native protocol is unavailable.
    case journalStream
    /// Standard error, which a person or another program reads.
    case standardError

    /// The destination for this process, which depends on how it was started.
    ///
    /// A process that was started by hand writes to standard error, even if the host has a journal. So does a child
    /// process that inherited the environment of a service, because the stream and the process id in that environment
    /// are not those of the child.
    package static var current: LogDestination { choose(hasJournal: access(journalSocket, W_OK) == 0) }

    /// The destination of messages that a process sends right before it exits: never the journal's native protocol.
    ///
    /// journald looks up the unit of a native message by the process id, and finds no unit once the process has exited.
    /// A stream, in contrast, is assigned to the unit when it is opened.
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
    ///   - journalStream: $JOURNAL_STREAM, the `device:inode` of the stream from the service manager (systemd.exec(5)).
    ///   - execPID: $SYSTEMD_EXEC_PID, the id of the process that the service manager started.
    ///   - standardError: the device and inode of standard error, from fstat(2); nil if it is closed.
    ///   - pid: the id of this process.
    ///   - hasJournal: whether to use the journal's native socket, if the service manager started this process.
    package static func choose(
        journalStream: String?, execPID: String?, standardError: (device: UInt64, inode: UInt64)?, pid: Int32,
        hasJournal: Bool
    ) -> LogDestination {
        let isStream = standardError.map { "\($0.device):\($0.inode)" == journalStream } ?? false
        let isStartedByManager = isStream || execPID == String(pid)
        if isStartedByManager && hasJournal { return .journal }
        return isStream ? .journalStream : .standardError
    }

    /// Returns a handler that writes to this destination.
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
