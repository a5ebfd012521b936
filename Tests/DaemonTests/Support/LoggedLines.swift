import Logging
import Synchronization

/// A logger that keeps its messages, each with its level and its journal fields.
final class LoggedLines: Sendable {
    struct Line: Sendable {
        let level: Logger.Level
        let text: String
        let fields: Logger.Metadata
    }

    private let all = Mutex<[Line]>([])
    private let tally = Tally()

    struct TooFew: Error {
        let lines: [String]
    }

    var entries: [Line] { all.withLock { $0 } }
    /// The messages, each after its level.
    var lines: [String] { entries.map { "\($0.level) \($0.text)" } }
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
            let line = Line(level: event.level, text: event.message.description, fields: event.metadata ?? [:])
            log.all.withLock { $0.append(line) }
            log.tally.note()
        }
    }
}
