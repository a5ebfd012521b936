import Fleet

/// The result of a call.
struct ModelRecord: Hashable, Sendable {
    let address: Int
    /// The number of the call in the simulation.
    let call: Int
    /// When the call was sent, on the leader's clock.
    let time: LeaderTime
}
