import ArgumentParser
import Control

/// How `ipctl` ends, for scripts; the numbers from 64 on are those of sysexits(3).
enum ExitStatus: Int32 {
    case done = 0
    /// Answered, but not as asked: no record, nothing matched.
    case notAsAsked = 1
    case usage = 64
    case badData = 65
    case noDaemon = 69
    /// What the daemon or this program did wrong.
    case software = 70
    case tryLater = 75
    case notPermitted = 77

    var code: ExitCode { ExitCode(rawValue) }
}

/// Something that ends a command: what went wrong, and what to do next.
struct Complaint: Error {
    let status: ExitStatus
    /// Empty where the status says it all.
    let message: String
    /// What to do about it, on a line of its own; empty where that is plain.
    var advice = ""
    /// The time that was set for it is over.
    var isTimeout = false
    /// The signal that ended it.
    var signal: Int32?
    /// What the daemon refused, where it did.
    var refusal: ControlError?
}
