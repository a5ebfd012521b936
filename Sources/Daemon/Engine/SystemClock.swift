import CLinux
import Glibc
package import RecordKeeping

/// The two clocks of the machine, and which boot this is.
package enum SystemClock {
    /// Both clocks, read right after each other.
    package static var now: Instant {
        let (boot, wall) = (read(CLOCK_BOOTTIME), read(CLOCK_REALTIME))
        return Instant(
            boot: BootTime(nanoseconds: Int64(boot.tv_sec) * 1_000_000_000 + Int64(boot.tv_nsec)),
            wall: WallTime(milliseconds: Int64(wall.tv_sec) * 1_000 + Int64(wall.tv_nsec) / 1_000_000))
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        // It fails for a clock that the kernel does not have; both are in every Linux since 2.6.39.
        let result = clock_gettime(clock, &time)
        precondition(result == 0, "clock_gettime: errno \(errno)")
        return time
    }

    /// A text that is another one after each boot (random(4)); empty where /proc is not there, so that no two starts are
    /// taken for the same boot.
    package static var bootID: String {
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return "" }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), file) != nil else { return "" }
        return String(decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
