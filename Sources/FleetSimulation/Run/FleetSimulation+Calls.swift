import Fleet
import RecordKeeping
import Simulation

/// The calls to the provider.
extension FleetSimulation {
    /// The longest delay between a decision and the departure without a pause.
    private static let promptDeparture = Duration.milliseconds(5)

    mutating func departCall(_ number: Int) throws(Violation) {
        var call = calls[number]
        let node = nodes[call.node]
        call.departedAt = now
        call.isStray =
            now - call.decidedAt > Self.promptDeparture || now - node.lastHiddenPause < .seconds(10)
        if call.isStray {
            coverage.count("stray call")
            promises.strays.append(now)
        }
        if now >= node.toProvider {
            let isSlow = prng.chance(0.1)
            call.arrivesAt = now + prng.duration(.milliseconds(5), isSlow ? .milliseconds(3_500) : .milliseconds(300))
            if let arrival = call.arrivesAt { queue.add(.arrive(call: number), at: arrival) }
        }
        calls[number] = call
        note("node \(call.node): call \(number) for \(call.address)\(call.isStray ? ", stray" : "")")
        coverage.count("call")
        try checkCall(number)
        let timeout = node.clock.moment(of: node.clock.time(at: now) + plan.requestTimeout)
        queue.add(.node(call.node, run: call.run, .callEnded(number, untilReset: nil)), at: timeout)
    }

    mutating func arrive(_ number: Int) throws(Violation) {
        let call = calls[number]
        let untilReset = quota.count(at: now)
        try checkQuota()
        guard now >= providerFailsUntil, now >= nodes[call.node].fromProvider, !prng.chance(0.02) else {
            coverage.count("call without a reply")
            return
        }
        let delay = prng.duration(.milliseconds(5), .milliseconds(400))
        queue.add(.node(call.node, run: call.run, .callEnded(number, untilReset: untilReset)), at: now + delay)
    }

    /// Handles a call that has ended with a reply, or at its time limit.
    mutating func callEnded(_ number: Int, untilReset: Duration?) throws(Violation) {
        let call = calls[number]
        guard var process = nodes[call.node].process else { return }
        let time = nodes[call.node].clock.time(at: now)
        let record =
            untilReset == nil ? nil : ModelRecord(address: call.address, call: number, time: call.time)
        let isCurrent = process.core.callEnded(
            call.address, call: number + 1, record: record, untilReset: untilReset, at: time)
        nodes[call.node].process = process
        guard isCurrent else { return }
        try feed(.callEnded(hasSucceeded: record != nil), to: call.node)
    }
}
