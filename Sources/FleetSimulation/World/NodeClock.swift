import RecordKeeping
import Simulation

/// The boot clock of a simulated node.
struct NodeClock {
    private var trueBase = Moment.start
    private var ownBase: BootTime
    /// Seconds of this clock per true second.
    let rate: Double

    init(ownBase: BootTime, rate: Double) {
        (self.ownBase, self.rate) = (ownBase, rate)
    }

    func time(at moment: Moment) -> BootTime {
        ownBase + .nanoseconds(Int64(Double((moment - trueBase).wholeNanoseconds) * rate))
    }

    /// The moment at which the clock shows a time.
    func moment(of time: BootTime) -> Moment {
        // A microsecond later, so that rounding cannot make it earlier.
        trueBase + .nanoseconds(Int64(Double((time - ownBase).wholeNanoseconds) / rate) + 1_000)
    }

    /// Stops the clock between two moments.
    mutating func hide(from start: Moment, to end: Moment) {
        (ownBase, trueBase) = (time(at: start), end)
    }
}
