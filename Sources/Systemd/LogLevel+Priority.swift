package import Logging

extension Logger.Level {
    /// The level of the journal and of syslog(3); `trace` has that of `debug`, because syslog has no lower level.
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
