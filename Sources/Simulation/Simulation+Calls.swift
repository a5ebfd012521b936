import IPAPI
import ProviderModel
import RecordKeeping

/// The calls at the provider, from the arrival of the request to the outcome.
extension Simulation {
    /// Handles a request that arrives at a provider, and schedules its outcome.
    mutating func arrive(
        _ call: Call, at which: Int, sentAt: (instant: Instant, moment: Moment), isReported: Bool, run number: Int
    ) throws(Violation) {
        guard routes.isOpen, now >= providers[which].downUntil else {
            let isAtOnce = prng.chance(0.5)
            let kind: Failure.Kind = isAtOnce ? .unreachable : .timeout
            let wait = isAtOnce ? prng.duration(.milliseconds(1), .seconds(1)) : SimulatedProvider.timeout
            eventQueue.add(
                .replied(run: number, call, .failed(kind, "the request was lost", after: .zero)), at: now + wait)
            return
        }
        // The provider counts each request that arrives, even if its call has been abandoned.
        let offences = providers[which].model.offences
        let rest = providers[which].windowRest(of: call.endpoint, at: now)
        let isFirst = rest == SimulatedProvider.window
        let isNearEnd = rest.map { $0 < .seconds(5) && !isFirst } ?? false
        let isRefused = isNearEnd && handle(.refusalAcrossWindowEnd) != nil
        if isRefused { providers[which].model.inject(.status429, at: call.endpoint, calls: 1) }
        if isFirst, call.endpoint == .batch {
            eventQueue.add(
                .checkWindowEnd(call.endpoint, of: which), at: now + (SimulatedProvider.window - .milliseconds(1)))
        }
        let (outcome, report) = providers[which].answer(call, sentAt: sentAt.instant, at: now)
        // The provider may have refused the request before the fault.
        if isRefused { providers[which].model.inject(.status429, at: call.endpoint, calls: 0) }
        let isKnown = providers[which].announced[call.endpoint]?.couldBeKnown(sentAt: sentAt.moment) ?? true
        if providers[which].model.offences > offences, !isKnown { coverage.count("refused because of others") }
        try promises.checkProvider(providers[which], before: offences, isReported: isReported && isKnown, at: now)
        if number == run?.number { run?.reports[call.id] = report }
        let isSlow = now < providers[which].slowUntil
        var time = prng.duration(.milliseconds(1), isSlow ? .seconds(12) : .milliseconds(500))
        if !isQuiet, prng.chance(plan.trouble.slow) {
            coverage.count("slow reply")
            time = .milliseconds(prng.number(0...11_000))
            if let rest, rest < .seconds(8), prng.chance(0.5) {
                // The reply arrives soon after the end of the window, so that it reports a window that has ended.
                time = rest + .milliseconds(prng.number(1_500...7_000))
            }
        }
        if let rest, isRefused {
            time = rest + .milliseconds(prng.number(4_000...5_000))
        } else if let rest, isNearEnd, let lossy = handle(.replyAcrossWindowEnd) {
            time = rest + .milliseconds(prng.number(2_000...5_000))
            lossyUntil = now + lossy
        } else if let wait = handle(.replyAfterRequestedWait) {
            time = .milliseconds(prng.number(4_000...9_000))
            providers[which].breakEndpoint(call.endpoint, with: .unavailable(wait), until: now + .seconds(4))
        } else if !isQuiet, prng.chance(lossChance(isFirst: isFirst)) {
            coverage.count(isFirst ? "first reply of a window lost" : "reply lost")
            if isFirst { time = prng.duration(.milliseconds(1), .seconds(2)) }
            let lost = SimulatedProvider.Outcome.failed(.unreachable, "the connection was reset", after: .zero)
            eventQueue.add(.replied(run: number, call, lost), at: now + min(time, SimulatedProvider.timeout))
            return
        }
        switch outcome {
        case .replied(let raw, let delay):
            let whole = delay + time
            let isInTime = whole < SimulatedProvider.timeout
            eventQueue.add(
                .replied(
                    run: number, call,
                    isInTime ? .replied(raw, after: .zero) : .failed(.timeout, "too late", after: .zero)),
                at: now + min(whole, SimulatedProvider.timeout))
        case .failed(_, _, let delay):
            eventQueue.add(.replied(run: number, call, outcome), at: now + delay)
        }
    }

    /// Whether a planned act delays the request until after its call has been abandoned, and probably beyond the end of
    /// the window. If so, it also arranges for the daemon to be killed soon after the call has failed.
    mutating func isStuckAcrossWindowEnd(_ call: Call) -> Bool {
        guard let rest = provider.windowRest(of: call.endpoint, at: now), rest >= .seconds(10), rest < .seconds(13),
            let lossy = handle(.crashAcrossWindowEnd)
        else { return false }
        lossyUntil = now + lossy
        awaited[.crashAtLostCall] = .milliseconds(prng.number(10...500))
        return true
    }

    private func lossChance(isFirst: Bool) -> Double {
        let usual = isFirst ? plan.trouble.lostAtFirst : plan.trouble.lost
        return now < lossyUntil ? max(usual, 0.8) : usual
    }

    /// Schedules the arrival of a delayed request, which the kernel may still send after its call was abandoned.
    mutating func comeLate(_ id: Call.ID) {
        guard let arrival = run?.stuck.removeValue(forKey: id) else { return }
        eventQueue.add(arrival, at: now + prng.duration(.milliseconds(1), .seconds(2)))
    }

    /// Passes the outcome of a call to the core, unless the call was cancelled or its process has ended.
    mutating func replied(
        _ call: Call, _ outcome: SimulatedProvider.Outcome, run number: Int
    ) throws(Violation) {
        guard number == run?.number, run?.calls.remove(call.id) != nil else { return }
        let report = run?.reports.removeValue(forKey: call.id)
        comeLate(call.id)
        switch outcome {
        case .failed(let kind, let message, _):
            note("call \(call.id.number) failed: \(kind)")
            coverage.count("call: \(kind)")
            promises.ended(call.id, at: now, mayBeTheRoute: kind == .unreachable || kind == .timeout)
            promises.endpoints.ended(call.id, kind, routeOpenSince: routes.openSince, at: now)
            providers[configured].lost(call.endpoint, at: now)
            try handle(.callFailed(call.id, CallFailure(kind: kind, message: message)))
            guard let down = handle(.crashAtLostCall) else { return }
            // After this delay, the consequences of the failure may or may not be on disk.
            let delay = prng.duration(.milliseconds(1), .seconds(2))
            eventQueue.add(.kill(run: number), at: now + delay)
            restart(after: delay + down)
        case .replied(let raw, _):
            let event: Event
            do {
                let reply = try provider.decoder.reply(to: call, from: raw)
                // Without digests, every element is decoded.
                let plain = Call(id: call.id, endpoint: call.endpoint, addresses: call.addresses)
                promises.answered(try provider.decoder.reply(to: plain, from: raw))
                promises.ended(call.id, at: now, succeeded: reply.hasRecords)
                promises.endpoints.ended(
                    call.id, reply.hasRecords ? nil : .malformed, routeOpenSince: routes.openSince, at: now)
                note("call \(call.id.number) succeeded: \(reply.quota)")
                event = .replied(call.id, reply)
                if let report { providers[configured].received(report, about: call.endpoint, at: now) }
                coverage.count("call: replied")
                if reply.repetitions.contains(true) { coverage.count("call: element repeated") }
            } catch {
                promises.ended(call.id, at: now)
                promises.endpoints.ended(
                    call.id, error.kind, retryAfter: error.retryAfter, routeOpenSince: routes.openSince, at: now)
                if error.quota == nil { providers[configured].lost(call.endpoint, at: now) }
                note("call \(call.id.number) failed: \(error.kind)")
                coverage.count("call: \(error.kind)")
                event = .callFailed(call.id, error)
            }
            try handle(event)
        }
    }
}

extension Reply {
    /// Whether the reply contains a record, or the reason why there is none, for any address.
    fileprivate var hasRecords: Bool {
        repetitions.contains(true)
            || answers.values.contains { answer in
                switch answer {
                case .answered: true
                case .malformed: false
                }
            }
    }
}
