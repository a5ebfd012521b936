/// One moment, read from both clocks at once.
///
/// Ages and deadlines are measured on `boot` alone: it neither steps nor stops while the machine sleeps.
/// `wall` is for what people and other programs are told, and for records that outlive a reboot.
package struct Instant: Hashable, Sendable {
    package var boot: BootTime
    package var wall: WallTime

    package init(boot: BootTime, wall: WallTime) {
        self.boot = boot
        self.wall = wall
    }

    /// This moment seen from `duration` later on both clocks.
    package func advanced(by duration: Duration) -> Instant {
        Instant(boot: boot + duration, wall: wall + duration)
    }
}

/// Nanoseconds since the machine was started, suspends included: CLOCK_BOOTTIME of clock_gettime(2).
///
/// Negative for a moment before this boot: a record that was scanned before a reboot keeps its age so.
package struct BootTime: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static func < (a: BootTime, b: BootTime) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (time: BootTime, duration: Duration) -> BootTime {
        BootTime(nanoseconds: time.nanoseconds + duration.wholeNanoseconds)
    }
    package static func - (a: BootTime, b: BootTime) -> Duration {
        .nanoseconds(a.nanoseconds - b.nanoseconds)
    }
}

/// Milliseconds since 1970-01-01 00:00 UTC: CLOCK_REALTIME of clock_gettime(2), as the control interface tells times.
package struct WallTime: Hashable, Comparable, Sendable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (a: WallTime, b: WallTime) -> Bool { a.milliseconds < b.milliseconds }
    package static func + (time: WallTime, duration: Duration) -> WallTime {
        WallTime(milliseconds: time.milliseconds + duration.wholeNanoseconds / 1_000_000)
    }
    package static func - (a: WallTime, b: WallTime) -> Duration {
        .milliseconds(a.milliseconds - b.milliseconds)
    }
}

extension Duration {
    /// This duration in nanoseconds, cut off at what 64 bits hold (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carried else { return seconds < 0 ? .min : .max }
        return sum
    }

    /// This duration in milliseconds, the part below one cut off.
    package var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }
}
