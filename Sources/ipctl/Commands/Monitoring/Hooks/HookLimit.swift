import Glibc

/// The time limit of a running command. A command that exceeds its limit gets SIGTERM, and SIGKILL five seconds later.
///
/// Times are milliseconds on a monotonic clock.
struct HookLimit: Hashable {
    private enum Stage: Hashable {
        case running(until: Int64)
        case terminating(until: Int64)
        case killed
    }

    private var stage: Stage

    /// Time between SIGTERM and SIGKILL.
    static let killMilliseconds: Int64 = 5_000

    init(until time: Int64) {
        stage = .running(until: time)
    }

    /// Whether the command has got SIGTERM, so that its run has failed whatever its exit status.
    var isExceeded: Bool { if case .running = stage { false } else { true } }

    /// The time of the next signal; nil if the command has got SIGKILL.
    var nextSignal: Int64? {
        switch stage {
        case .running(let time), .terminating(let time): time
        case .killed: nil
        }
    }

    /// Lowers the limit, because the program ends.
    mutating func lower(to time: Int64) {
        if case .running(let limit) = stage { stage = .running(until: min(limit, time)) }
    }

    /// Returns the signal that is due; nil if none is.
    mutating func signal(at now: Int64) -> Int32? {
        switch stage {
        case .running(let time) where time <= now:
            stage = .terminating(until: now + Self.killMilliseconds)
            return SIGTERM
        case .terminating(let time) where time <= now:
            stage = .killed
            return SIGKILL
        case .running, .terminating, .killed: return nil
        }
    }
}
