import Dispatch

extension DispatchTime {
    /// Returns the time a duration from now, at most 292 years.
    static func after(_ duration: Duration) -> DispatchTime {
        let (seconds, attoseconds) = duration.components
        let (nanoseconds, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !isTooLong, seconds < Int64.max / 2_000_000_000 else { return .distantFuture }
        return .now() + .nanoseconds(Int(nanoseconds) + Int(attoseconds / 1_000_000_000))
    }

    /// The time until a later time; zero if that has passed.
    func duration(to later: DispatchTime) -> Duration {
        guard later > self else { return .zero }
        return .nanoseconds(Int64(clamping: later.uptimeNanoseconds - uptimeNanoseconds))
    }
}
