import Files
import Glibc

/// A running command of `--exec`.
///
/// The command leads a process group of its own, so that a signal reaches the programs that it has started, and Ctrl-C
/// reaches only this program. It inherits the standard output and the standard error, the working directory and, after
/// ``prepare()``, no other descriptors. All signals have their default actions, and none is blocked.
final class HookProcess {
    /// A command that could not be started.
    struct NotStarted: Error {
        let errno: Int32
    }

    enum Ending: Hashable {
        case status(Int32)
        case signal(Int32)
    }

    /// Prepares this program, which has one thread, for running commands.
    ///
    /// - Throws: if the open descriptors cannot be listed.
    static func prepare() throws(CommandError) {
        // A command need not read its input.
        Glibc.signal(SIGPIPE, SIG_IGN)
        // This program opens all descriptors with O_CLOEXEC, but may have inherited others.
        do throws(DirectoryContents.Unreadable) {
            for descriptor in try DirectoryContents.names(in: "/proc/self/fd").compactMap({ Int32($0) })
            where descriptor > STDERR_FILENO {
                setCloseOnExec(descriptor)
            }
        } catch {
            throw CommandError(
                status: .software, message: "cannot read /proc/self/fd: \(String(cString: strerror(error.errno)))")
        }
    }

    private static func setCloseOnExec(_ descriptor: Int32) {
        // The call fails only for a descriptor that is closed by now.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private let pid: pid_t
    /// The write end of the pipe to the standard input; -1 once it is closed.
    private var descriptor: Int32
    private var input: ArraySlice<UInt8>

    /// - Parameters:
    ///   - command: the program and its arguments. A name without a slash is searched for in PATH.
    ///   - environment: the complete environment, as bytes of `NAME=value`.
    ///   - bytes: the standard input.
    init(_ command: [String], environment: [[UInt8]], input bytes: [UInt8]) throws(NotStarted) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw NotStarted(errno: errno) }
        defer { close(ends[0]) }
        for end in ends { Self.setCloseOnExec(end) }
        // The command may read slowly, or not at all.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        do throws(NotStarted) {
            pid = try Self.spawn(command, environment: environment, input: ends[0])
        } catch {
            close(ends[1])
            throw error
        }
        (descriptor, input) = (ends[1], bytes[...])
        writeInput()
    }

    deinit { closeInput() }

    /// The descriptor at which the command reads its input, to wait until it is writable; nil if all has been written.
    var pendingInput: Int32? { descriptor < 0 ? nil : descriptor }

    /// Writes as much of the input as the pipe has room for.
    func writeInput() {
        while descriptor >= 0, !input.isEmpty {
            let count = input.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                input = input.dropFirst(count)
            } else if errno == EAGAIN {
                return
            } else if errno != EINTR {
                // The command has closed its input without reading all of it, which is its decision.
                break
            }
        }
        closeInput()
    }

    /// Sends a signal to the command and the programs of its process group.
    func signal(_ number: Int32) {
        // The process has not been reaped, so no other group has this id.
        kill(-pid, number)
    }

    /// Returns how the command has ended; nil if it is running. A command is reaped once.
    ///
    /// - Parameter killsGroup: whether the other programs of its process group get SIGKILL.
    func reap(killsGroup: Bool) -> Ending? {
        var info = siginfo_t()
        // The process stays a zombie until its group has got the signal: its id must not be reused before.
        guard waitid(P_PID, id_t(pid), &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo != 0 else { return nil }
        if killsGroup { signal(SIGKILL) }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        closeInput()
        // WIFEXITED and the like of wait(2) are macros, which Swift does not import.
        let number = status & 0x7F
        return number == 0 ? .status(status >> 8 & 0xFF) : .signal(number)
    }

    private func closeInput() {
        if descriptor >= 0 { close(descriptor) }
        descriptor = -1
    }

    private static func spawn(
        _ command: [String], environment: [[UInt8]], input: Int32
    ) throws(NotStarted) -> pid_t {
        let arguments = command.map { strdup($0) } + [nil]
        let variables =
            environment.map { bytes in
                strdup(bytes.map { CChar(bitPattern: $0) } + [0])
            } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var attributes = posix_spawnattr_t()
        var actions = posix_spawn_file_actions_t()
        posix_spawnattr_init(&attributes)
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawnattr_destroy(&attributes)
            posix_spawn_file_actions_destroy(&actions)
        }
        var (none, all) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigfillset(&all)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        var pid: pid_t = 0
        let number = posix_spawnp(&pid, command[0], &actions, &attributes, arguments, variables)
        guard number == 0 else { throw NotStarted(errno: number) }
        return pid
    }
}
