import RecordKeeping

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

    /// The current addresses of the watched names. Other names do not exist.
    var names: [HostName: [IPAddress]] = [:]

    mutating func heal() {
        (failsUntil, slowUntil) = (.start, .start)
    }

    /// Returns the answer to a query, if the network is up.
    func answer(about name: HostName, at now: Moment) -> NameAnswer {
        guard now >= failsUntil else { return .failed("the name server does not reply") }
        return names[name].map { .addresses($0) } ?? .failed("there is no such name")
    }
}
