import Glibc
import RecordKeeping

extension Instant {
    /// The current time from two clocks, read with clock_gettime(2), which cannot fail for either clock on any
    /// supported Linux system.
    static func now() -> Instant {
        let boot = read(CLOCK_BOOTTIME)
        let wall = read(CLOCK_REALTIME)
        return Instant(
            boot: BootTime(nanoseconds: boot), wall: WallTime(milliseconds: wall / 1_000_000))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
