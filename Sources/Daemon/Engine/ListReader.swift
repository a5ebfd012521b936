import Dispatch
import Logging
import RecordKeeping

/// Reads the configuration's list and the watch-list files, one reload at a time. It has a separate queue, so that a
/// file of a million lines does not block the engine.
final class ListReader: Sendable {
    private let engine: Engine
    private let lists: @Sendable () throws -> ListContents
    private let useDatabases: @Sendable ([String]) -> Void
    private let log: Logger
    private let queue = DispatchQueue(label: "iprecord.lists")

    /// - Parameters:
    ///   - useDatabases: called with the configured paths of the local databases at each reload.
    ///   - lists: reads the list and the files; throws if the configuration is invalid or cannot be read.
    init(
        engine: Engine, log: Logger, useDatabases: @escaping @Sendable ([String]) -> Void = { _ in },
        lists: @escaping @Sendable () throws -> ListContents
    ) {
        self.engine = engine
        self.useDatabases = useDatabases
        self.lists = lists
        self.log = log
    }

    /// Maximum number of problems that each reload logs one by one. journald drops a unit's messages beyond 10,000 in
    /// 30 s (journald.conf(5), `RateLimitBurst=`), and a list of invalid lines must not cause an alert to be dropped.
    static let maxLoggedProblems = 10

    /// Returns the messages to log about a reload: warnings and unreadable files first, then invalid lines. Messages
    /// beyond `maxLoggedProblems` are only counted.
    static func logLines(of contents: ListContents) -> [String] {
        let files = contents.problems.filter { $0.line == nil }.map { "\($0)" }
        let badLines = contents.problems.filter { $0.line != nil }.map { "\($0)" }
        let all = contents.keyWarnings + files + badLines
        guard all.count > maxLoggedProblems else { return all }
        return Array(all.prefix(maxLoggedProblems)) + [
            "and \(all.count - maxLoggedProblems) more; run iprecordd --check"
        ]
    }

    /// Starts a reload. Its problems are logged, and its result is posted to the engine.
    ///
    /// - Parameters:
    ///   - request: the request that triggered the reload; nil at startup and after SIGHUP.
    ///   - isForced: the value of `ListReading.isForced`.
    ///   - isPreview: the value of `ListReading.isPreview`.
    ///   - done: called on the reader's queue after the result has been posted; the engine handles the result before
    ///     any event that is posted later.
    func read(
        for request: Request.ID? = nil, isForced: Bool = false, isPreview: Bool = false,
        done: @escaping @Sendable () -> Void = {}
    ) {
        queue.async { [self] in
            do {
                let contents = try lists()
                if !isPreview { useDatabases(contents.databases) }
                for line in Self.logLines(of: contents) { log.warning("\(line)") }
                engine.post(.listsRead(contents.reading(for: request, isForced: isForced, isPreview: isPreview)))
            } catch {
                log.error("the watch list is unchanged: \(error)")
                engine.post(.listsUnreadable(request, "\(error)"))
            }
            done()
        }
    }
}
