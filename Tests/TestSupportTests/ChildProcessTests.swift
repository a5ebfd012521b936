import Foundation
import TestSupport
import Testing

@Suite struct ChildProcessTests {
    @Test func `a program inherits its standard streams and no other descriptor`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let listing = try PipedProgram.run(["/bin/ls", "-l", "/proc/self/fd"]).output
        // The last descriptor is that of the listed directory.
        let open = listing.matches(of: /(\d+) -> (\S+)/).filter { !$0.2.hasPrefix("/proc/") }
        #expect(open.map { $0.1 } == ["0", "1", "2"], "\(listing)")
        #expect(open.allSatisfy { $0.2.hasPrefix("pipe:") }, "\(listing)")
    }

    /// Foundation's `Process` closes only the descriptors below the greatest that it has seen beforehand.
    @Test func `a pipe is not inherited by programs that other threads start`() throws {
        let pipe = try PrivatePipe()
        for end in [pipe.reading, pipe.writing] {
            #expect(fcntl(end.fileDescriptor, F_GETFD) & FD_CLOEXEC != 0)
        }
        // A program that inherits everything except what is close-on-exec.
        var pid: pid_t = 0
        let command = ["/bin/sh", "-c", "! test -e /proc/$$/fd/\(pipe.writing.fileDescriptor)"]
        let words = command.map { (word: String) in strdup(word) } + [nil]
        defer { for word in words { free(word) } }
        try #require(posix_spawn(&pid, "/bin/sh", nil, nil, words, [nil]) == 0)
        var status: Int32 = -1
        #expect(waitpid(pid, &status, 0) == pid && status == 0)
    }

    @Test func `the end of a program is an exit status or a signal`() throws {
        let program = try ChildProcess(["/bin/sh", "-c", "exit 7"])
        #expect(program.awaitEnd() == .exit(7))
        let sleeping = try ChildProcess(["/bin/sleep", "600"])
        #expect(sleeping.isRunning)
        sleeping.signal(SIGTERM)
        #expect(sleeping.awaitEnd(within: 60) == .signal(SIGTERM))
        #expect(throws: POSIXError.self) { try ChildProcess(["/nonexistent/program"]) }
    }

    @Test func `a program gets its input and environment, and all of its output is read`() throws {
        let script = "cat; head -c 200000 /dev/zero >&2; echo $A"
        let input = String(repeating: "line\n", count: 50_000)
        let ended = try PipedProgram.run(["/bin/sh", "-c", script], environment: ["A": "value"], input: input)
        #expect(ended.status == 0)
        #expect(ended.output == input + "value\n")
        #expect(ended.errors.utf8.count == 200_000)
        // The program does not read its input.
        #expect(try PipedProgram.run(["/bin/true"], input: input).status == 0)
    }
}
