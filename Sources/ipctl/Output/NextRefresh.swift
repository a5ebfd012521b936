import Control

/// When the next call is made for what the watch list needs, as far as the daemon's condition tells.
enum NextRefresh: Hashable {
    /// No record ever becomes old: there is none.
    case nothing
    /// Nothing is due before this time.
    case deadline(Int64)
    /// Something is due, and goes out once there is a way to the provider.
    case way
    /// Something is due, and goes out when the first of the quotas that are used up begins anew; nil where that is not told.
    case quota(resetsAt: Int64?)
    /// Something is due, and goes out as soon as its turn comes; with when more will be, where that is to come.
    case due(Int64?)

    init(_ status: Control.Status.Reply, at now: Int64) {
        let refresh = status.refresh
        guard refresh.due > 0 else {
            self = refresh.nextAt.map { .deadline($0) } ?? .nothing
            return
        }
        guard status.network.state == "online" else {
            self = .way
            return
        }
        let limited = status.provider.quotas.filter { $0.limit != nil }
        // A window that is over by now is not used up any more, whatever was left of it.
        let isUsedUp = limited.allSatisfy { $0.remaining == 0 && ($0.resetsAt ?? .max) > now }
        self =
            isUsedUp && !limited.isEmpty
            ? .quota(resetsAt: limited.compactMap(\.resetsAt).min())
            : .due(refresh.nextAt.flatMap { $0 > now ? $0 : nil })
    }
}
