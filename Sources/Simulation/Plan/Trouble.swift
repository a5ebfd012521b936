import RecordKeeping

/// The probability of each kind of trouble with a call, from 0 to 1.
struct Trouble: Sendable {
    /// The request is delayed in the network, and arrives after its call has been abandoned.
    let stuck: Double
    /// The same as `stuck`, for requests to an endpoint with an unknown limit.
    let stuckAtFirst: Double
    /// The reply is so late that replies to later calls overtake it, or that the call times out.
    let slow: Double
    /// The provider counts the request, and the reply gets lost.
    let lost: Double
    /// The same as `lost`, for the first request of a quota window.
    let lostAtFirst: Double

    static let none = Trouble()

    private init() {
        (stuck, stuckAtFirst, slow, lost, lostAtFirst) = (0, 0, 0, 0, 0)
    }

    /// Draws each probability independently, since one kind of trouble may hide the effects of another. Now and then,
    /// all kinds of trouble are enabled.
    init(_ prng: inout Random) {
        let isAll = prng.chance(0.35)
        stuck = isAll ? 0.1 : prng.pick([0, 0, 0.02, 0.1])
        stuckAtFirst = isAll ? 0.5 : max(stuck, prng.pick([0, 0, 0.5]))
        slow = isAll ? 0.5 : prng.pick([0, 0, 0, 0.1, 0.5])
        lost = isAll ? 0.3 : prng.pick([0, 0, 0, 0.1])
        lostAtFirst = max(lost, prng.pick([0, 0, 0.5]))
    }
}
