package import Logging

/// The levels of the journal and of syslog(3), as far as swift-log has them.
package enum Priority: Int, Hashable, Sendable {
    case critical = 2
    case error, warning, notice, info, debug

    /// The priority of a level; `trace` becomes `debug`, because syslog has no lower level.
    package init(_ level: Logger.Level) {
        self =
            switch level {
            case .trace, .debug: .debug
            case .info: .info
            case .notice: .notice
            case .warning: .warning
            case .error: .error
            case .critical: .critical
            }
    }
}
