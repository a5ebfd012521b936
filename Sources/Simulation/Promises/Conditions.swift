import RecordKeeping

/// The times since which nothing keeps the daemon from making calls.
struct Conditions {
    /// The time since which the process has been running and the route has been open, with some time for the start.
    let upSince: Moment
    /// The time since which the disk has accepted commits and no call has failed, with the time of the longest backoff.
    /// It may be in the future.
    let calmSince: Moment

    /// The time for the start of a process or the return of a route: the provider's name is resolved, and the route is
    /// checked.
    static let starting = Duration.seconds(15)
    /// The maximum backoff after a failed commit, with some time for the commit.
    static let storeBackoff = Duration.seconds(70)
    /// The maximum backoff after a failed call, the window in which the call may have counted, and some time for the
    /// next call.
    static let callBackoff = Duration.seconds(135)
}
