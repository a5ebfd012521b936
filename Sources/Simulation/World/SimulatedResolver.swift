import RecordKeeping

/// The resolver of the simulated machine, with its faults.
struct SimulatedResolver {
    /// The answer to a query about a watched name.
    struct Reply {
        let answer: NameAnswer
        /// The family whose addresses could not be queried; nil if the answer is complete or a failure.
        var unanswered: IPAddress.Family?
    }

    /// Names cannot be resolved until this moment.
    var failsUntil = Moment.start
    /// Until this moment, each resolution takes up to `maxTime`, even if the network is up.
    var slowUntil = Moment.start
    /// The family whose addresses of watched names cannot be queried until a moment; nil before the first such fault.
    var unanswered: (family: IPAddress.Family, until: Moment)?

    /// The end of the last fault. A resolution that began before it may take `maxTime` longer.
    var faultUntil: Moment { max(failsUntil, slowUntil) }

    /// The maximum time of a resolution, even without a network.
    static let maxTime = Duration.seconds(10)

    /// The current addresses of the watched names. Other names do not exist.
    var names: [HostName: [IPAddress]] = [:]

    mutating func heal() {
        (failsUntil, slowUntil, unanswered) = (.start, .start, nil)
    }

    /// Returns the reply to a query, if the network is up.
    func reply(about name: HostName, at now: Moment) -> Reply {
        guard now >= failsUntil else { return Reply(answer: .failed("the name server does not reply")) }
        guard let addresses = names[name] else { return Reply(answer: .failed("there is no such name")) }
        guard let unanswered, now < unanswered.until else { return Reply(answer: .addresses(addresses)) }
        let answered = addresses.filter { $0.family != unanswered.family }
        guard !answered.isEmpty else { return Reply(answer: .failed("the name server does not reply")) }
        return Reply(answer: .addresses(answered), unanswered: unanswered.family)
    }
}
