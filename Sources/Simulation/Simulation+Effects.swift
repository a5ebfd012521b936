import Control
import IPAPI
import ProviderModel
import RecordKeeping
import Varlink

/// The events that the core handles, and the effects that it returns.
extension Simulation {
    /// Passes an event to the core, checks its footprint and fast path, and performs the effects.
    mutating func handle(_ event: Event) throws(Violation) {
        if case .wayAnswered = event { promises.askedWay() }
        let instant = machine.instant(at: now)
        let glance = glance(at: event, instant)
        guard let effects = life?.keeper.handle(event, at: instant), let footprint = life?.keeper.footprint else {
            return
        }
        if let glance { try check(glance, effects) }
        // A client that has just left still counts, although its connection is already removed.
        let connections = (life?.connections.count ?? 0) + 1
        try promises.check(footprint, connections: connections, addresses: plan.addresses.count, at: now)
        for effect in effects {
            guard life != nil else { return }
            try carryOut(effect, at: instant)
        }
    }

    /// The reply of the fast path; nil for events other than a `Show` of fresh records.
    private mutating func glance(at event: Event, _ instant: Instant) -> (request: Request.ID, reply: [UInt8])? {
        guard case .requested(let request) = event, case .show(let addresses, _) = request.body,
            let common = life?.keeper.common
        else { return nil }
        var known: [FreshEntry] = []
        guard life?.keeper.glance(addresses, at: instant, into: &known) == true else { return nil }
        coverage.count("seen at a glance")
        var writer = JSONWriter()
        entries.writeReply(known, common: common, to: &writer)
        return (request.id, writer.bytes)
    }

    /// Checks that the fast path gives the same reply as the event.
    private mutating func check(
        _ glance: (request: Request.ID, reply: [UInt8]), _ effects: [Effect]
    ) throws(Violation) {
        for case .answer(glance.request, let response) in effects where message(response) == glance.reply { return }
        throw Violation(
            promise: "what is seen at a glance is what is answered",
            details: String(decoding: glance.reply.prefix(2_000), as: UTF8.self), moment: now)
    }

    private mutating func carryOut(_ effect: Effect, at instant: Instant) throws(Violation) {
        guard let number = life?.number, let since = life?.since else { return }
        digest.add(now.nanoseconds)
        switch effect {
        case .commit(let commit):
            digest.add(Int64(commit.writes.count))
            let slow = now < disk.slowUntil
            let time = dice.duration(.microseconds(100), slow ? Self.slowWrite : .milliseconds(30))
            agenda.add(.write(life: number, commit), at: now + time)
        case .call(let call):
            digest.add(call.id.number)
            note("call \(call.id.number) \(call.endpoint): \(call.addresses.count) addresses")
            try promises.called(
                call, machine, routes: routes, disk: disk, settle: settings.settle, lifeSince: since, at: now)
            life?.calls.insert(call.id)
            // A limit applies to a request only if it was known when the request was sent.
            let isTold =
                !provider.documentedLimits.isEmpty
                || disk.knowsLimit(of: call.endpoint, by: provider.provider.endpoint)
            let arrival = Happening.arrive(
                life: number, call, to: configured, sentAt: instant, isTold: isTold)
            if !isQuiet, dice.chance(isTold ? plan.trouble.stuck : plan.trouble.stuckAtFirst) {
                coverage.count("call arrives after it was given up")
                life?.stuck[call.id] = arrival
                let timeout = SimulatedProvider.Outcome.failed(.timeout, "stuck", after: .zero)
                agenda.add(.replied(life: number, call, timeout), at: now + SimulatedProvider.timeout)
            } else {
                agenda.add(arrival, at: now + dice.duration(.milliseconds(1), .seconds(2)))
            }
            if let time = take(.lossAtCall) { loseWay(after: .zero, for: time) }
            if let time = take(.suspendAtCall) { suspend(for: time) }
            if let down = take(.crashAtCall) {
                try end()
                restart(after: down)
            }
        case .cancel(let id):
            guard life?.calls.remove(id) != nil else { return }
            promises.ended(id)
            comeLate(id)
            let failure = CallFailure(kind: .timeout, message: "given up")
            agenda.add(.event(life: number, .callFailed(id, failure)), at: now + .microseconds(50))
        case .askWay(let epoch, _):
            agenda.add(
                .event(life: number, .wayAnswered(epoch: epoch, routes.way)),
                at: now + dice.duration(.microseconds(1), .milliseconds(5)))
        case .resolve:
            let addresses = routes.isOpen && now >= provider.downUntil ? [IPAddress(v4: 0xD05F_7001)] : []
            let time = dice.duration(.milliseconds(1), routes.isOpen ? .milliseconds(50) : .seconds(10))
            agenda.add(.event(life: number, .resolved(addresses)), at: now + time)
        case .arm(let deadline): arm(deadline)
        case .answer(let request, let response): try answer(request, response)
        case .publish(let notice, let view, to: let requests):
            digest.add(notice.seq ?? -1)
            let message = OutgoingReply.message(telling: notice, view)
            for request in requests { tell(message, on: request) }
        case .scheduleTurn:
            coverage.count("a change takes several turns")
            agenda.add(
                .event(life: number, .turnBegan), at: now + dice.duration(.microseconds(1), .milliseconds(5)))
        case .readNotices(let request, let after, let limit):
            answerSoon(.noticesRead(request, NoticePage(disk.notices(after: after, limit: limit))), life: number)
        case .answerPart(let request, let response): answerPart(request, response)
        case .resume(let request): resume(request, life: number)
        case .readChanges(let request, let address, let before, let limit):
            let found = disk.changes(of: address, before: before, limit: limit)
            answerSoon(.changesRead(request, found), life: number)
        case .readOutages(let request, let before, let limit):
            answerSoon(.outagesRead(request, disk.outages(before: before, limit: limit)), life: number)
        case .readLists(let request, let isForced): readLists(for: request, isForced: isForced)
        case .logRefusedReading: coverage.count("lists refused")
        case .announce(let notice):
            note("journal: \(notice.kind) \(notice.message ?? "")")
            promises.announced(notice, at: now)
        case .describe: break
        case .finish:
            coverage.count("finish")
            try end()
        }
    }

    /// Schedules the result of reading the disk after a short delay.
    private mutating func answerSoon(_ event: Event, life number: Int) {
        agenda.add(.event(life: number, event), at: now + dice.duration(.microseconds(100), .milliseconds(50)))
    }

    /// Sets the only timer, and discards its previous deadline. It fires late, but never early.
    private mutating func arm(_ deadline: BootTime?) {
        life?.timer += 1
        guard let deadline, let number = life?.number, let timer = life?.timer else { return }
        let late = dice.duration(.microseconds(1), .milliseconds(5))
        agenda.add(
            .timer(life: number, number: timer), at: max(now, machine.moment(of: deadline)) + late)
    }

    // MARK: The disk

    /// The maximum duration of a write while the disk is slow.
    static let slowWrite = Duration.seconds(3)

    /// Writes a commit or fails, and reports the result to the core.
    mutating func write(_ commit: Commit, life number: Int) throws(Violation) {
        guard number == life?.number else { return }
        guard now >= disk.failsUntil else {
            coverage.count("commit fails")
            try handle(.commitFailed(commit.id, "database or disk is full"))
            return
        }
        if plan.sabotage != .forgetfulDisk { disk.write(commit, boot: machine.bootID) }
        try promises.committed(commit, machine, at: now)
        coverage.count("commit")
        var hasAlert = false
        for write in commit.writes {
            if case .notice(let notice) = write {
                coverage.count("event: \(notice.kind.rawValue)")
                hasAlert = hasAlert || notice.kind.isAlert
            }
            if case .forgetHistory = write { coverage.count("history forgotten") }
        }
        if hasAlert, let down = take(.crashAtAlert) {
            try end()
            restart(after: down)
            return
        }
        // The event reaches the daemon a moment later, unless it is killed first.
        agenda.add(
            .event(life: number, .committed(commit.id)), at: now + dice.duration(.microseconds(1), .milliseconds(2)))
    }

    // MARK: The provider

    /// Handles a request that arrives at a provider, and schedules its outcome.
    mutating func arrive(
        _ call: Call, at which: Int, sentAt: Instant, isTold: Bool, life number: Int
    ) throws(Violation) {
        guard routes.isOpen, now >= providers[which].downUntil else {
            let isAtOnce = dice.chance(0.5)
            let kind: Failure.Kind = isAtOnce ? .unreachable : .timeout
            let wait = isAtOnce ? dice.duration(.milliseconds(1), .seconds(1)) : SimulatedProvider.timeout
            agenda.add(.replied(life: number, call, .failed(kind, "it got lost", after: .zero)), at: now + wait)
            return
        }
        // The provider counts each request that arrives, even if its call has been given up.
        let offences = providers[which].model.offences
        let rest = providers[which].windowRest(of: call.endpoint, at: now)
        let isFirst = rest == SimulatedProvider.window
        let outcome = providers[which].answer(call, sentAt: sentAt, at: now)
        try promises.checkProvider(providers[which], before: offences, isTold: isTold, at: now)
        let isSlow = now < providers[which].slowUntil
        var time = dice.duration(.milliseconds(1), isSlow ? .seconds(12) : .milliseconds(500))
        if !isQuiet, dice.chance(plan.trouble.slow) {
            coverage.count("reply takes long")
            time = .milliseconds(dice.number(0...11_000))
            if let rest, rest < .seconds(8), dice.chance(0.5) {
                // Soon after the end of the window, so that the reply reports a window that is over.
                time = rest + .milliseconds(dice.number(1_500...7_000))
            }
        }
        if let rest, rest < .seconds(5), !isFirst, let lossy = take(.replyAcrossWindowEnd) {
            time = rest + .milliseconds(dice.number(2_000...5_000))
            lossyUntil = now + lossy
        } else if !isQuiet, dice.chance(lossChance(isFirst: isFirst)) {
            coverage.count(isFirst ? "first reply of a window lost" : "reply lost")
            if isFirst { time = dice.duration(.milliseconds(1), .seconds(2)) }
            let lost = SimulatedProvider.Outcome.failed(.unreachable, "the connection was reset", after: .zero)
            agenda.add(.replied(life: number, call, lost), at: now + min(time, SimulatedProvider.timeout))
            return
        }
        switch outcome {
        case .replied(let raw, let delay):
            let whole = delay + time
            let isInTime = whole < SimulatedProvider.timeout
            agenda.add(
                .replied(
                    life: number, call,
                    isInTime ? .replied(raw, after: .zero) : .failed(.timeout, "too late", after: .zero)),
                at: now + min(whole, SimulatedProvider.timeout))
        case .failed(_, _, let delay):
            agenda.add(.replied(life: number, call, outcome), at: now + delay)
        }
    }

    private func lossChance(isFirst: Bool) -> Double {
        let usual = isFirst ? plan.trouble.lostAtFirst : plan.trouble.lost
        return now < lossyUntil ? max(usual, 0.8) : usual
    }

    /// Schedules the arrival of a delayed request, which the kernel may still send after its call was given up.
    private mutating func comeLate(_ id: Call.ID) {
        guard let arrival = life?.stuck.removeValue(forKey: id) else { return }
        agenda.add(arrival, at: now + dice.duration(.milliseconds(1), .seconds(2)))
    }

    /// Passes the outcome of a call to the core, unless the call was cancelled or its process has ended.
    mutating func replied(
        _ call: Call, _ outcome: SimulatedProvider.Outcome, life number: Int
    ) throws(Violation) {
        guard number == life?.number, life?.calls.remove(call.id) != nil else { return }
        comeLate(call.id)
        switch outcome {
        case .failed(let kind, let message, _):
            note("call \(call.id.number) failed: \(kind)")
            coverage.count("call: \(kind)")
            promises.ended(call.id, mayBeTheWay: kind == .unreachable || kind == .timeout)
            try handle(.callFailed(call.id, CallFailure(kind: kind, message: message)))
            guard let down = take(.crashAtLostCall) else { return }
            // After this delay, the consequences of the failure may be on disk or not.
            let delay = dice.duration(.milliseconds(1), .seconds(2))
            agenda.add(.kill(life: number), at: now + delay)
            restart(after: delay + down)
        case .replied(let raw, _):
            promises.ended(call.id)
            let event: Event
            do {
                let reply = try provider.decoder.reply(to: call, from: raw)
                note("call \(call.id.number) answered: \(reply.quota)")
                event = .replied(call.id, reply)
                coverage.count("call: replied")
            } catch {
                note("call \(call.id.number) failed: \(error.kind)")
                coverage.count("call: \(error.kind)")
                event = .callFailed(call.id, error)
            }
            try handle(event)
        }
    }
}
