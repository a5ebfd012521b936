package import Logging

/// The journal's and syslog(3)'s levels.
package enum Priority: Int, Hashable, Sendable {
    case critical = 2
    case error, warning, notice, info, debug

    /// `trace` has no level of its own and is `debug`.
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
