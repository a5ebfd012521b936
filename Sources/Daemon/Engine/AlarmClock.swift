import CLinux
import Dispatch
import Glibc
import RecordKeeping

/// The one timer, and word of when the wall clock is set or the machine resumes.
///
/// Belongs to the queue that it is made with: all of it is called and calls back there.
final class AlarmClock {
    private let timer: any DispatchSourceTimer
    private let steps: (any DispatchSourceRead)?

    /// - Parameters:
    ///   - queue: a serial queue.
    ///   - onAlarm: the armed moment has come, or nearly.
    ///   - onStep: the clock was set, or time passed in a suspend that the timer did not see.
    init(queue: DispatchQueue, onAlarm: @escaping @Sendable () -> Void, onStep: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.setEventHandler(handler: onAlarm)
        timer.activate()
        steps = Self.stepSource(queue: queue, onStep: onStep)
        steps?.activate()
    }

    /// Fires once at `deadline`, which replaces the one before; nil for never.
    func arm(_ deadline: BootTime?) {
        guard let deadline else {
            timer.schedule(deadline: .distantFuture)
            return
        }
        let left = max(0, (deadline - SystemClock.now.boot).wholeNanoseconds)
        // No leeway: a refresh is due when it is due.
        timer.schedule(deadline: .now() + .nanoseconds(Int(left)), leeway: .nanoseconds(0))
    }

    func cancel() {
        timer.cancel()
        steps?.cancel()
    }

    /// A timer on CLOCK_REALTIME that never comes due, and whose read fails with ECANCELED once the clock was set
    /// (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET); a resume from suspend sets it too. It wakes nobody up otherwise.
    private static func stepSource(
        queue: DispatchQueue, onStep: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceRead)? {
        let descriptor = timerfd_create(CLOCK_REALTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
        // Without it the timer is still armed anew at every event: late after a resume, but never wrong about an age.
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
        // The largest time_t that the kernel takes as a timer's expiry (KTIME_SEC_MAX): the year 2262.
        var never = itimerspec()
        never.it_value.tv_sec = 9_223_372_036
        let flags = Int32(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)
        timerfd_settime(descriptor, flags, &never, nil)
    }
}
