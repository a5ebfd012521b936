import CLinux
import Files
import Glibc
package import RecordKeeping

/// The machine's boot-time clock and wall clock, and the id of the current boot.
package enum SystemClock {
    /// The time of both clocks, read one right after the other.
    package static var now: Instant {
        let (boot, wall) = (read(CLOCK_BOOTTIME), read(CLOCK_REALTIME))
        return Instant(
            boot: BootTime(nanoseconds: Int64(boot.tv_sec) * 1_000_000_000 + Int64(boot.tv_nsec)),
            wall: WallTime(milliseconds: Int64(wall.tv_sec) * 1_000 + Int64(wall.tv_nsec) / 1_000_000))
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        // This fails only if the kernel does not have the clock; Linux has had both since 2.6.39.
        let result = clock_gettime(clock, &time)
        precondition(result == 0, "clock_gettime: errno \(errno)")
        return time
    }

    /// The id of the current boot, which differs after each boot (random(4)). It is empty if /proc is not mounted; an
    /// empty id never counts as the same boot.
    package static var bootID: String {
        let line = (try? WholeFile.bytes(at: "/proc/sys/kernel/random/boot_id")) ?? []
        return String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
