import Glibc

/// The program that a long text scrolls in, as a child at the other end of a pipe.
final class Pager {
    let descriptor: Int32
    private let stream: UnsafeMutablePointer<FILE>
    private var hasEnded = false

    /// - Returns: nil where the person wants none, and where none can be started.
    init?(_ choice: PagerChoice) {
        guard let command = choice.command else { return nil }
        if choice.isLess {
            setenv("LESS", "FRSXMK", 1)
            // What is printed here is UTF-8, whatever the locale says.
            setenv("LESSCHARSET", "utf-8", 0)
        }
        if choice.isSecure { setenv("LESSSECURE", "1", 1) }
        guard let stream = popen(command, "we") else { return nil }
        self.stream = stream
        descriptor = fileno(stream)
        // Who quits the pager has seen enough: writing on tells so (EPIPE). And Ctrl-C is for the pager; were this process
        // to end by it, the shell and the pager would both read from the terminal. The child has its defaults still.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGINT, SIG_IGN)
    }

    deinit { _ = end() }

    /// Waits until the person has quit it.
    ///
    /// - Returns: whether it could be run at all.
    func end() -> Bool {
        guard !hasEnded else { return true }
        hasEnded = true
        let status = pclose(stream)
        // What a shell says of a command that is not there or cannot be run.
        return ![126, 127].contains(status >> 8 & 0xFF)
    }
}
