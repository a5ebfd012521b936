import ArgumentParser

/// The exit statuses of `ipctl`; the numbers from 64 up are those of sysexits(3).
enum ExitStatus: Int32 {
    case done = 0
    /// A final negative answer: no record, no match, an address that stays, or problems found.
    case negative = 1
    case usage = 64
    case badData = 65
    /// A host name has no address.
    case noHost = 68
    case noDaemon = 69
    /// An internal error of the daemon or of this program.
    case software = 70
    case tryLater = 75
    case notPermitted = 77

    var code: ExitCode { ExitCode(rawValue) }
}
