package import Logging

extension Logger.Level {
    /// The priority in the journal and in syslog(3). `trace` has the priority of `debug`, because syslog has no lower
    /// level.
    package var priority: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}
