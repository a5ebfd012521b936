import Glibc

/// The pager for long output, a child process at the other end of a pipe.
final class Pager {
    let descriptor: Int32
    private let stream: UnsafeMutablePointer<FILE>
    private var hasEnded = false

    /// - Returns: nil if the user chose no pager, or if it cannot be started.
    init?(_ choice: PagerChoice) {
        guard let command = choice.command else { return nil }
        if choice.isLess {
            setenv("LESS", "FRSXMK", 1)
            // The output is UTF-8 in every locale.
            setenv("LESSCHARSET", "utf-8", 0)
        }
        if choice.isSecure { setenv("LESSSECURE", "1", 1) }
        guard let stream = popen(command, "we") else { return nil }
        self.stream = stream
        descriptor = fileno(stream)
        // After the pager has exited, writes fail with EPIPE. Ctrl-C is for the pager: if it ended this process, the
        // shell and the pager would both read from the terminal. The child, already started, keeps the default actions.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGINT, SIG_IGN)
    }

    deinit { _ = end() }

    /// Waits until the user has quit the pager.
    ///
    /// - Returns: whether the pager could be started.
    func end() -> Bool {
        guard !hasEnded else { return true }
        hasEnded = true
        let status = pclose(stream)
        // The shell's exit statuses for a command that is not found or not executable.
        return ![126, 127].contains(status >> 8 & 0xFF)
    }
}
