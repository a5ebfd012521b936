/// The resolver of the simulated machine, with its faults.
struct SimulatedResolver {
    /// Names cannot be resolved until this moment.
    var failsUntil = Moment.start
    /// Until this moment, each resolution takes up to `maxTime`, even if the network is up.
    var slowUntil = Moment.start

    /// The end of the last fault. A resolution that began before it may take `maxTime` longer.
    var faultUntil: Moment { max(failsUntil, slowUntil) }

    /// The maximum time of a resolution, even without a network.
    static let maxTime = Duration.seconds(10)

    mutating func heal() {
        self = SimulatedResolver()
    }
}
