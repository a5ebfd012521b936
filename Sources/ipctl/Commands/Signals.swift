import Glibc

/// The signals by which people and service managers end a program.
enum Signals {
    /// Does what must not be done by half: a signal that comes meanwhile ends the program after it.
    static func held(_ work: () throws(Complaint) -> Void) throws(Complaint) {
        var ending = sigset_t()
        sigemptyset(&ending)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&ending, signal) }
        var before = sigset_t()
        sigprocmask(SIG_BLOCK, &ending, &before)
        defer { sigprocmask(SIG_SETMASK, &before, nil) }
        try work()
    }
}
