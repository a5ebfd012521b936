import Confinement
import Dispatch
import Logging
import RecordKeeping
import RecordStore

/// Makes a backup once a day if the watch list or the history has changed.
///
/// Belongs to the queue passed to `init`.
final class BackupSchedule {
    struct Times {
        /// The time between two backups.
        var interval = Duration.seconds(86_400)
        /// The minimum time from the start to the first backup, so that a backup does not slow down the start.
        var first = Duration.seconds(600)
        /// The maximum time between two checks of the clock, which is also the delay before a retry. The timer stops
        /// while the machine is suspended, but the clock does not.
        var look = Duration.seconds(3_600)
    }

    private let times: Times
    private let queue: DispatchQueue
    private let now: () -> BootTime
    private let age: () throws(StoreError) -> Duration?
    private let backUp: (@escaping @Sendable (Result<Backup?, StoreError>) -> Void) -> Void
    private let logger: Logger
    private let timer: any DispatchSourceTimer
    /// The time of the next attempt.
    private var due = BootTime(nanoseconds: 0)

    /// - Parameters:
    ///   - now: CLOCK_BOOTTIME.
    ///   - age: returns the age of the newest backup, or nil if there is none.
    ///   - backUp: makes a backup, and calls its argument on any thread, with nil if no backup was necessary.
    init(
        times: Times = Times(), queue: DispatchQueue, logger: Logger,
        now: @escaping () -> BootTime = { SystemClock.now.boot },
        age: @escaping () throws(StoreError) -> Duration?,
        backUp: @escaping (@escaping @Sendable (Result<Backup?, StoreError>) -> Void) -> Void
    ) {
        (self.times, self.queue, self.logger) = (times, queue, logger)
        (self.now, self.age, self.backUp) = (now, age, backUp)
        timer = DispatchSource.makeTimerSource(queue: queue)
    }

    /// Schedules the first attempt for when the newest backup is a day old, but not before `Times.first` has passed.
    func begin() {
        var remaining = Duration.zero
        do throws(StoreError) {
            if let age = try age() { remaining = times.interval - age }
        } catch {
            // If the problem persists, the first attempt reports it.
            logger.warning("cannot list the backups: \(error)")
        }
        due = now() + max(times.first, remaining)
        timer.setEventHandler { [weak self] in self?.look() }
        wait()
        timer.activate()
    }

    /// Stops the timer.
    func cancel() {
        // A source that was never activated must not be released (dispatch_release(3)).
        timer.activate()
        timer.cancel()
    }

    private func wait() {
        let milliseconds = Int(min(times.look, max(.zero, due - now())).wholeMilliseconds)
        timer.schedule(
            deadline: .now() + .milliseconds(milliseconds + 1),
            leeway: .milliseconds(min(milliseconds / 10, 60_000)))
    }

    private func look() {
        guard due <= now() else { return wait() }
        let schedule = QueueConfined(self, onQueue: queue)
        backUp { [queue] result in queue.async { schedule.value.ended(result) } }
    }

    private func ended(_ result: Result<Backup?, StoreError>) {
        switch result {
        case .success(let backup):
            if let backup { logger.debug("made the backup \(backup.path)") }
            due = now() + times.interval
        case .failure(let error):
            logger.warning("a backup of the watch list and the history failed, and will be tried again: \(error)")
            due = now() + times.look
        }
        wait()
    }
}
