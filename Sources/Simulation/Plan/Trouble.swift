/// How many of the calls, from 0 to 1, fare badly in a run.
struct Trouble: Sendable {
    /// They get stuck on their way, and arrive once they have been given up.
    let stuck: Double
    /// The same of those to an endpoint that has never told what it allows.
    let stuckAtFirst: Double
    /// Their replies take so long that those of later calls overtake them, or that they come too late.
    let slow: Double
    /// They are counted, and their replies get lost.
    let lost: Double
    /// The same of those with which a window of the quota begins.
    let lostAtFirst: Double

    static let none = Trouble()

    private init() {
        (stuck, stuckAtFirst, slow, lost, lostAtFirst) = (0, 0, 0, 0, 0)
    }

    /// Mostly each by itself; now and then all at once, for what one of them breaks another one may mend or hide.
    init(_ dice: inout Dice) {
        let isAll = dice.chance(0.35)
        stuck = isAll ? 0.1 : dice.pick([0, 0, 0.02, 0.1])
        stuckAtFirst = isAll ? 0.5 : max(stuck, dice.pick([0, 0, 0.5]))
        slow = isAll ? 0.5 : dice.pick([0, 0, 0, 0.1, 0.5])
        lost = isAll ? 0.3 : dice.pick([0, 0, 0, 0.1])
        lostAtFirst = max(lost, dice.pick([0, 0, 0.5]))
    }
}
