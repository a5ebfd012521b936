import Control

/// The time of the next call to the provider, derived from the daemon's status.
enum NextRefresh: Hashable {
    /// There is nothing to refresh.
    case nothing
    /// The first refresh is due at this time.
    case deadline(Int64)
    /// Refreshes are due, and wait for a route to the provider.
    case route
    /// Refreshes are due, and wait for the next quota window of an endpoint that is not failing. The time is nil if it
    /// is unknown.
    case quota(resetsAt: Int64?)
    /// Refreshes are due and will be sent. The value is the time of the refreshes that follow these; nil if that time
    /// is unknown.
    case due(Int64?)

    init(_ status: Control.Status.Reply, at now: Int64) {
        let refresh = status.refresh
        if refresh.due <= 0 {
            self = refresh.nextAt.map { .deadline($0) } ?? .nothing
        } else if status.network.state != "online" {
            self = .route
        } else if case .quota(let resetsAt)? = ProviderObstacle(of: status.provider, at: now) {
            self = .quota(resetsAt: resetsAt)
        } else {
            self = .due(refresh.nextAt.flatMap { $0 > now ? $0 : nil })
        }
    }
}
