import Dispatch
import RecordKeeping
import Testing

@testable import Daemon

@Suite final class DeadlineTimerTests {
    private let queue = DispatchQueue(label: "test.timer")
    private let (fires, steps, marks) = (Tally(), Tally(), Tally())
    private let clock: DeadlineTimer

    init() {
        clock = DeadlineTimer(
            queue: queue, onDeadline: { [fires] in fires.note() }, onStep: { [steps] in steps.note() })
    }

    deinit { clock.cancel() }

    /// Arms the clock for each of the durations, in one block of its queue, during which it cannot fire.
    private func arm(in durations: Duration?...) {
        queue.sync {
            for duration in durations { clock.arm(duration.map { SystemClock.now.boot + $0 }) }
        }
    }

    /// Waits for a duration, by a timer of the same queue.
    private func pass(_ duration: DispatchTimeInterval) {
        queue.asyncAfter(deadline: .now() + duration) { [marks] in marks.note() }
        #expect(marks.wait(for: marks.count + 1))
    }

    @Test func `the clock fires once, and not early`() {
        let before = SystemClock.now.boot
        arm(in: .milliseconds(50))
        #expect(fires.wait(for: 1))
        // A timer may be slightly early, so the keeper reads the time itself.
        #expect(SystemClock.now.boot - before >= .milliseconds(49))
        pass(.milliseconds(150))
        #expect(fires.count == 1)
    }

    @Test(arguments: [.zero, .seconds(-1), .seconds(-400_000)] as [Duration])
    func `a deadline in the past fires at once`(duration: Duration) {
        arm(in: duration)
        #expect(fires.wait(for: 1))
    }

    @Test func `a new deadline replaces the previous one, whether it is earlier or later`() {
        arm(in: .seconds(3_600), .milliseconds(20))
        #expect(fires.wait(for: 1))
        arm(in: .milliseconds(50), .seconds(3_600))
        pass(.milliseconds(200))
        #expect(fires.count == 1)
    }

    @Test func `without a deadline the clock does not fire, and it can be armed again`() {
        arm(in: .milliseconds(50), nil)
        pass(.milliseconds(200))
        #expect(fires.count == 0)
        arm(in: .milliseconds(10))
        #expect(fires.wait(for: 1))
    }

    @Test func `the last representable time does not fire`() {
        queue.sync { clock.arm(BootTime(nanoseconds: .max)) }
        pass(.milliseconds(50))
        #expect(fires.count == 0)
    }

    @Test func `a cancelled clock does not fire`() {
        queue.sync {
            clock.arm(SystemClock.now.boot + .milliseconds(50))
            clock.cancel()
        }
        pass(.milliseconds(200))
        #expect(fires.count == 0)
    }

    @Test func `no step is reported while the wall clock is not set`() {
        pass(.milliseconds(50))
        #expect(steps.count == 0)
    }
}
