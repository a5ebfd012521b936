import CLinux
import Glibc
import Testing

@Suite struct MemoryFileTests {
    @Test func `a file in memory can be written, and opened by its descriptor`() throws {
        let file = clinux_memory_file("test")
        try #require(file >= 0)
        defer { close(file) }
        #expect(write(file, "abc", 3) == 3)
        let other = open("/proc/self/fd/\(file)", O_RDONLY | O_CLOEXEC)
        try #require(other >= 0)
        defer { close(other) }
        var bytes = [UInt8](repeating: 0, count: 4)
        #expect(read(other, &bytes, 4) == 3)
        #expect(bytes == Array("abc".utf8) + [0])
        #expect(fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
    }
}
