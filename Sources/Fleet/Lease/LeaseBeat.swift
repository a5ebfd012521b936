package import RecordKeeping

/// A heartbeat of the leader.
package struct LeaseBeat: Hashable, Sendable {
    package let fence: Fence
    package let clock: BootTime
    package let knownBeat: Int64
    /// Whether a call has succeeded in this term.
    package let hasSucceeded: Bool

    package init(fence: Fence, clock: BootTime, knownBeat: Int64, hasSucceeded: Bool) {
        (self.fence, self.clock, self.knownBeat, self.hasSucceeded) = (fence, clock, knownBeat, hasSucceeded)
    }
}
