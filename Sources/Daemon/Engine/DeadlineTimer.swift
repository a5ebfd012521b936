import CLinux
import Dispatch
import Glibc
import RecordKeeping

/// The timer for the keeper's next deadline, and a detector of clock steps.
///
/// Belongs to the queue passed to `init`: its methods and its callbacks run there.
final class DeadlineTimer {
    private let timer: any DispatchSourceTimer
    private let steps: (any DispatchSourceRead)?

    /// - Parameters:
    ///   - queue: a serial queue.
    ///   - onDeadline: called at the armed deadline, possibly slightly early, or late after a suspend.
    ///   - onStep: called when the wall clock was set, or when the machine resumed from a suspend, during which the
    ///     timer does not advance.
    init(queue: DispatchQueue, onDeadline: @escaping @Sendable () -> Void, onStep: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.setEventHandler(handler: onDeadline)
        timer.activate()
        steps = Self.stepSource(queue: queue, onStep: onStep)
        steps?.activate()
    }

    /// Arms the timer to fire once at `deadline`, in place of the previous deadline; nil disarms it.
    func arm(_ deadline: BootTime?) {
        guard let deadline else { return timer.schedule(deadline: .distantFuture) }
        let left = max(0, (deadline - SystemClock.now.boot).wholeNanoseconds)
        // No leeway, so that a refresh is not late.
        timer.schedule(deadline: .now() + .nanoseconds(Int(left)), leeway: .nanoseconds(0))
    }

    /// Stops the timer and the detection of clock steps.
    func cancel() {
        timer.cancel()
        steps?.cancel()
    }

    /// A timer on CLOCK_REALTIME that never expires. Reading the timer fails with ECANCELED after the clock was set,
    /// which also happens on a resume from suspend (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET). The timer causes no
    /// other wake-ups.
    private static func stepSource(
        queue: DispatchQueue, onStep: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceRead)? {
        let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        // Without this source, deadlines are late after a resume, but ages remain correct, because CLOCK_BOOTTIME
        // includes the suspend.
        guard descriptor >= 0 else { return nil }
        watchForSteps(descriptor)
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler {
            var expirations: UInt64 = 0
            let count = read(descriptor, &expirations, MemoryLayout<UInt64>.size)
            guard count < 0, errno == ECANCELED else { return }
            watchForSteps(descriptor)
            onStep()
        }
        source.setCancelHandler { close(descriptor) }
        return source
    }

    private static func watchForSteps(_ descriptor: Int32) {
        // The largest expiry of a timer in seconds (KTIME_SEC_MAX of the kernel), in the year 2262.
        var never = itimerspec()
        never.it_value.tv_sec = 9_223_372_036
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        timerfd_settime(descriptor, flags, &never, nil)
    }
}
