package import RecordKeeping

extension Member {
    /// Returns the first invariant that does not hold; nil if all hold. For tests and simulations.
    package func brokenInvariant(at now: BootTime) -> String? {
        if let tenure {
            if run != tenure.fence.leader { return "a tenure belongs to the current run" }
            if lastHeld?.term != tenure.fence.term { return "a tenure is the last term that was held" }
            if tenure.phase != .assuming, tenure.leadership == nil { return "a leader has its conditions" }
            if tenure.phase != .assuming, let end = tenure.leaseEnd, end <= now { return "a leader has a lease" }
        } else {
            if append != nil { return "only a leader commits" }
            if !executing.isEmpty { return "only a leader runs proposals" }
        }
        if Set(executing).count != executing.count { return "a proposal runs once" }
        if Set(requests.map(\.proposal.id)).count != requests.count { return "a request is unique" }
        if cursorIncarnation.number > incarnation.number { return "the cursor's incarnation has been seen" }
        if let applying, applying.cursor == cursor { return "rows that are stored are not awaited" }
        return nil
    }
}
