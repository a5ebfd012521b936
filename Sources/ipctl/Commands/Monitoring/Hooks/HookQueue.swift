/// The events for the command of `--exec` that are not finished, in the order of their numbers. Decides which of them
/// may run, and how far the cursor may move.
///
/// Invariants:
/// 1. Of the events about an address, only the first unfinished one runs. Events without an address are treated like
///    those about one address. With one job, only the first of all unfinished events runs.
/// 2. At most as many events run as there are jobs.
/// 3. All events up to the cursor are finished.
/// 4. A finished event that follows an unfinished one stays in the queue, without its contents, so that the queue is
///    never longer than its limit and what was read at once.
///
/// Times are milliseconds on a monotonic clock.
struct HookQueue {
    struct Policy: Hashable {
        /// Maximum number of commands that run at the same time.
        var jobs = 1
        /// Number of attempts after which an event is skipped; nil for no limit.
        var maxTries: Int?
    }

    /// An event whose command must be started.
    struct Run: Hashable {
        let id: Int
        let event: HookEvent
        /// The number of this attempt, from 1.
        let attempt: Int
    }

    enum Outcome: Hashable {
        case finished
        /// The command failed, and runs again after this delay.
        case retries(afterMilliseconds: Int64)
        /// The command failed as often as allowed.
        case skipped(tries: Int)
    }

    private enum State {
        case waiting(until: Int64)
        case running
        case finished
    }

    private struct Item {
        let cursor: CursorFile.Cursor?
        let address: String?
        /// Nil once the event is finished.
        var event: HookEvent?
        var tries = 0
        var state = State.waiting(until: .min)
    }

    /// Number of events from which no more are read.
    static let maxEvents = 1_000
    /// Total size of the unfinished events from which no more are read.
    static let maxBytes = 4 * 1_024 * 1_024

    private let policy: Policy
    private var items: [Item] = []
    /// The id of the first item; ids are consecutive.
    private var firstID = 0
    private var size = 0
    private(set) var runningCount = 0
    /// The last event before the first unfinished one; nil before the first event is finished.
    private(set) var cursor: CursorFile.Cursor?

    init(_ policy: Policy) {
        self.policy = policy
    }

    /// Whether no more events should be read for now.
    var isFull: Bool { items.count >= Self.maxEvents || size >= Self.maxBytes }

    /// Whether all events are finished.
    var isEmpty: Bool { items.isEmpty }

    mutating func append(_ event: HookEvent) {
        items.append(Item(cursor: event.cursor, address: event.address, event: event))
        size += event.size
    }

    /// Returns the next event whose command may run now, which then counts as running; nil if there is none.
    mutating func start(at now: Int64) -> Run? {
        guard runningCount < policy.jobs, let next = candidates.first(where: { $0.time <= now }),
            let event = items[next.index].event
        else { return nil }
        items[next.index].state = .running
        items[next.index].tries += 1
        runningCount += 1
        return Run(id: firstID + next.index, event: event, attempt: items[next.index].tries)
    }

    /// The time at which the next event may run; nil if that depends on the end of a run, or if there is none.
    var nextStart: Int64? { runningCount < policy.jobs ? candidates.map(\.time).min() : nil }

    /// Notes the end of a run.
    mutating func end(_ run: Run, isSuccess: Bool, at now: Int64) -> Outcome {
        let index = run.id - firstID
        runningCount -= 1
        guard !isSuccess else {
            finish(index)
            return .finished
        }
        if let maxTries = policy.maxTries, run.attempt >= maxTries {
            finish(index)
            return .skipped(tries: run.attempt)
        }
        let delay = HookBackoff.milliseconds(afterFailures: run.attempt)
        items[index].state = .waiting(until: now + delay)
        return .retries(afterMilliseconds: delay)
    }

    /// The events whose turn it is, each with the time at which it may run.
    private var candidates: [(index: Int, time: Int64)] {
        var found: [(index: Int, time: Int64)] = []
        var addresses: Set<String?> = []
        for (index, item) in items.enumerated() {
            if case .finished = item.state { continue }
            if addresses.insert(item.address).inserted, case .waiting(let time) = item.state {
                found.append((index, time))
            }
            // With one job, all events are in order.
            guard policy.jobs > 1 else { break }
        }
        return found
    }

    private mutating func finish(_ index: Int) {
        size -= items[index].event?.size ?? 0
        items[index].event = nil
        items[index].state = .finished
        let count = items.prefix { item in if case .finished = item.state { true } else { false } }.count
        cursor = items[..<count].last { $0.cursor != nil }?.cursor ?? cursor
        items.removeFirst(count)
        firstID += count
    }
}
