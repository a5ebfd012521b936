import Synchronization

/// Makes the service manager wait for a long startup while the startup makes progress.
///
///     let progress = StartProgress { sendExtension(StartProgress.extensionTime) }
///     let store = try Store(path: path, onProgress: progress.report)
final class StartProgress: Sendable {
    /// Time by which each report extends the timeout. A step between two reports may take this long, for example moving
    /// the log of a large migration into the database on a slow disk. This time equals the unit's TimeoutStartSec=.
    static let extensionTime = Duration.seconds(300)
    /// Minimum time between two messages: far below any TimeoutStartSec=, and long enough to make their cost
    /// negligible.
    private static let minInterval = Duration.milliseconds(500)

    private let extendTimeout: @Sendable () -> Void
    private let lastReport = Mutex<ContinuousClock.Instant?>(nil)

    /// - Parameter extendTimeout: sends the service manager `EXTEND_TIMEOUT_USEC=`.
    init(_ extendTimeout: @escaping @Sendable () -> Void) {
        self.extendTimeout = extendTimeout
    }

    /// Reports progress. Frequent calls have a negligible cost.
    func report() {
        report(at: .now)
    }

    func report(at now: ContinuousClock.Instant) {
        let isDue = lastReport.withLock { last in
            if let last, now - last < Self.minInterval { return false }
            last = now
            return true
        }
        if isDue { extendTimeout() }
    }
}
