import Logging
import Synchronization

/// A logger that keeps its messages, each with its level.
final class LoggedLines: Sendable {
    private let all = Mutex<[String]>([])
    private let tally = Tally()

    struct TooFew: Error {
        let lines: [String]
    }

    var lines: [String] { all.withLock { $0 } }
    var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

    /// Waits until this number of messages has been logged.
    func wait(for count: Int) throws {
        guard tally.wait(for: count) else { throw TooFew(lines: lines) }
    }

    private struct Handler: LogHandler {
        let log: LoggedLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.all.withLock { $0.append("\(event.level) \(event.message)") }
            log.tally.note()
        }
    }
}
