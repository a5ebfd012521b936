import Glibc

/// The signals with which users and service managers end a program.
enum EndingSignals {
    /// Runs work that must not be interrupted. A signal that arrives meanwhile takes effect afterwards.
    static func blocked(_ work: () throws(CommandError) -> Void) throws(CommandError) {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        var before = sigset_t()
        sigprocmask(SIG_BLOCK, &signals, &before)
        defer { sigprocmask(SIG_SETMASK, &before, nil) }
        try work()
    }
}
