import RecordKeeping

/// The times since which nothing has kept the daemon from making calls.
struct Conditions {
    /// The time since which the process has been running and the route has been open, plus `starting`.
    let upSince: Moment
    /// The time since which the disk has accepted commits, no call has failed and no reply was delayed by a suspended
    /// machine, plus the maximum backoff. It may be in the future.
    let calmSince: Moment

    /// The time that the daemon needs after its start or the return of the route to resolve the provider's name and to
    /// check the route.
    static let starting = Duration.seconds(15)
    /// The maximum backoff after a failed commit, with some time for the commit.
    static let storeBackoff = Duration.seconds(70)
    /// The maximum backoff after a failed call, the window in which the call may have counted, and some time for the
    /// next call.
    static let callBackoff = Duration.seconds(135)
}
