import CLinux
import Control
import Files
import Glibc

extension Interface.Process {
    /// Reads the state of this process; nil if proc(5) cannot be read.
    static func current() -> Interface.Process? {
        var (usage, limit) = (rusage(), rlimit())
        guard getrusage(RUSAGE_SELF.rawValue, &usage) == 0,
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
            let memory = memory(), let descriptors = openDescriptors()
        else { return nil }
        return Interface.Process(
            cpuSeconds: seconds(usage.ru_utime) + seconds(usage.ru_stime), residentBytes: memory.resident,
            virtualBytes: memory.virtual, openDescriptors: Double(descriptors),
            maxDescriptors: Double(limit.rlim_cur))
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

    /// The sizes in bytes, from /proc/self/statm, which counts pages.
    private static func memory() -> (virtual: Double, resident: Double)? {
        guard let bytes = try? WholeFile.bytes(at: "/proc/self/statm") else { return nil }
        let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").prefix(2).compactMap { Double($0) }
        guard pages.count == 2 else { return nil }
        let pageBytes = Double(sysconf(Int32(_SC_PAGESIZE)))
        return (pages[0] * pageBytes, pages[1] * pageBytes)
    }

    private static func openDescriptors() -> Int? {
        var status = stat()
        guard stat("/proc/self/fd", &status) == 0 else { return nil }
        // Since Linux 6.2, the size of the directory is the number of descriptors.
        if status.st_size > 0 { return Int(status.st_size) }
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // Without "." and "..", and the descriptor of the directory itself.
        return count - 3
    }
}
