/// A moment, read from both clocks at once.
///
/// Ages and deadlines use only `boot`, which never steps and keeps running while the machine is suspended. `wall` is
/// for display, for other programs, and for records that survive a reboot.
package struct Instant: Hashable, Sendable {
    package var boot: BootTime
    package var wall: WallTime

    package init(boot: BootTime, wall: WallTime) {
        self.boot = boot
        self.wall = wall
    }

    /// Returns the instant that is `duration` later on both clocks.
    package func advanced(by duration: Duration) -> Instant {
        Instant(boot: boot + duration, wall: wall + duration)
    }

    /// Converts this instant, which was recorded during an earlier boot, to the current boot. The boot time is computed
    /// from the age according to the wall clock.
    package func ofEarlierBoot(seenAt now: Instant) -> Instant {
        Instant(boot: now.boot + (wall - now.wall), wall: wall)
    }
}

/// Nanoseconds since the machine booted, including suspends: CLOCK_BOOTTIME of clock_gettime(2).
///
/// The value is negative for times before this boot, so that records that were fetched before a reboot keep their age.
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

/// Milliseconds since 1970-01-01 00:00 UTC: CLOCK_REALTIME of clock_gettime(2), and the unit of times in the control
/// interface.
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
    /// This duration in nanoseconds, truncated, and clamped to the range of `Int64` (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carried) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carried else { return seconds < 0 ? .min : .max }
        return sum
    }

    /// This duration in milliseconds, truncated.
    package var wholeMilliseconds: Int64 { wholeNanoseconds / 1_000_000 }
}
