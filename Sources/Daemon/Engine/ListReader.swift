import Dispatch
import Logging
import RecordKeeping

/// Reads the configuration's list and the watch-list files, one reading after the other, away from the engine's queue: a
/// file of a million lines must not hold up anybody.
final class ListReader: Sendable {
    private let engine: Engine
    private let lists: @Sendable () throws -> ListContents
    private let log: Logger
    private let queue = DispatchQueue(label: "iprecord.lists")

    /// - Parameter lists: reads them.
    init(
        engine: Engine, log: Logger,
        lists: @escaping @Sendable () throws -> ListContents
    ) {
        self.engine = engine
        self.lists = lists
        self.log = log
    }

    /// - Parameters:
    ///   - request: who asked for it; nil for the start and for SIGHUP.
    ///   - done: called once the keeper will hear of it before anything that happens later.
    func read(for request: Request.ID? = nil, done: @escaping @Sendable () -> Void = {}) {
        queue.async { [self] in
            do {
                let contents = try lists()
                let complaints = contents.complaints
                for complaint in complaints { log.warning("\(complaint)") }
                let isComplete = contents.problems.allSatisfy { $0.line != nil }
                engine.post(
                    .listsRead(
                        ListReading(
                            contents.listed, isComplete: isComplete, problems: complaints, for: request)))
            } catch {
                log.error("the watch list stays as it is: \(error)")
                engine.post(.listsUnreadable(request, "\(error)"))
            }
            done()
        }
    }
}
