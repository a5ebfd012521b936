import Fleet
import Simulation

/// A call to the provider.
struct CallFact {
    let address: Int
    let node: Int
    let run: Int
    let time: LeaderTime
    /// When the node decided to send it.
    let decidedAt: Moment
    /// When it left the node; nil if it has not.
    var departedAt: Moment?
    /// When it arrives at the provider; nil if it is lost.
    var arrivesAt: Moment?
    /// Whether the node was paused between the decision and the departure, or its clock was.
    var isStray = false
}
