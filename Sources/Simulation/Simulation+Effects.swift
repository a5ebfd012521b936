import Control
import IPAPI
import RecordKeeping
import Varlink

/// The events that the core handles, and the effects that it returns.
extension Simulation {
    /// Passes an event to the core, checks the core's footprint and fast path, and performs the effects.
    mutating func handle(_ event: Event) throws(Violation) {
        switch event {
        case .routeChecked: promises.routeCheckRequested()
        case .deadlineReached: run?.deadline = nil
        case .committed(let id):
            run?.commits[id] = nil
            run?.isDiskFailing = false
        case .commitFailed(let id, _):
            run?.commits[id] = nil
            run?.isDiskFailing = true
            // A reply that could not be written in time must not be applied later.
            run?.nameReplies = [:]
        case .resolved: run?.isResolving = false
        case .providerDataChanged(let version): noteDataChange(version)
        case .requested(let request):
            run?.requests[request.id] = request
            noteLookups(of: request)
            promises.openRequests.opened(request, at: now)
            promises.endpoints.requested(request, at: now)
        case .clientLeft(let peer):
            let left = run?.requests.keys.filter { $0.peer == peer } ?? []
            for request in left { run?.requests[request] = nil }
            promises.openRequests.closedAll(of: peer)
        default: break
        }
        let instant = machine.instant(at: now)
        let freshReply = freshReply(at: event, instant)
        guard let effects = run?.keeper.handle(event, at: instant), let footprint = run?.keeper.footprint else {
            return
        }
        if let freshReply { try check(freshReply, effects) }
        if case .unreadable(let request, _) = event { try checkRefusal(of: request, effects) }
        // The check reads every entry. The more entries a plan has, the fewer events are followed by the check.
        eventsHandled += 1
        if eventsHandled.isMultiple(of: 1 + footprint.entries / 100),
            let invariant = run?.keeper.checkInvariants().first
        {
            throw broken("the core's invariants hold", invariant)
        }
        let read = if case .eventsRead(_, let page) = event { page.events.count } else { 0 }
        try promises.check(
            effects, changesPerTurn: plan.changesPerTurn, read: read, listeners: footprint.listeners,
            connections: connectionCount, at: now)
        try promises.check(
            footprint, changesPerTurn: plan.changesPerTurn, connections: connectionCount,
            addresses: plan.addresses.count + (plan.hasNames ? Plan.addressesOnlyOfNames : 0),
            at: now)
        for case .commit(let commit) in effects { run?.commits[commit.id] = now }
        for effect in effects {
            guard run != nil else { return }
            try perform(effect, at: instant)
        }
        try checkAge(ofResolutionAfter: effects, at: instant)
    }

    /// The number of connections. A client that has just left still counts, although its connection has already been
    /// removed.
    private var connectionCount: Int { (run?.connections.count ?? 0) + 1 }

    /// The reply on the fast path; nil for events other than a `Show` of fresh records.
    private mutating func freshReply(at event: Event, _ instant: Instant) -> (request: Request.ID, reply: [UInt8])? {
        guard case .requested(let request) = event, case .show(let addresses, _) = request.body,
            let internedValues = run?.keeper.internedValues
        else { return nil }
        var known: [FreshEntryView] = []
        guard run?.keeper.readFresh(addresses, at: instant, into: &known) == true else { return nil }
        coverage.count("reply on the fast path")
        return (request.id, encoder.reply(known, internedValues: internedValues))
    }

    /// Checks that the fast path gives the same reply as the event.
    private mutating func check(
        _ freshReply: (request: Request.ID, reply: [UInt8]), _ effects: [Effect]
    ) throws(Violation) {
        for case .answer(freshReply.request, let response) in effects where message(response) == freshReply.reply {
            return
        }
        let reply = String(decoding: freshReply.reply.prefix(2_000), as: UTF8.self)
        throw broken("the fast path gives the same reply", reply)
    }

    private mutating func perform(_ effect: Effect, at instant: Instant) throws(Violation) {
        guard let number = run?.number, let since = run?.since else { return }
        digest.add(now.nanoseconds)
        switch effect {
        case .commit(let commit):
            digest.add(Int64(commit.writes.count))
            let slow = now < disk.slowUntil
            let time = prng.duration(.microseconds(100), slow ? Self.slowWrite : .milliseconds(30))
            eventQueue.add(.write(run: number, commit), at: now + time)
        case .call(let call):
            digest.add(call.id.number)
            note("call \(call.id.number) \(call.endpoint): \(call.addresses.count) addresses")
            guard !isLocal else { return try callLocally(call, at: instant, run: number) }
            try checkChoice(of: call)
            try promises.endpoints.called(call, routesSince: routes.sinceChecked, coverage: &coverage, at: now)
            try promises.called(
                call, machine, routes: routes, disk: disk, debounce: settings.debounce, runSince: since, at: now)
            run?.calls.insert(call.id)
            noteSingleCall(call)
            // A limit applies to a request only if it was known when the request was sent.
            let isReported =
                provider.provider.hasDocumentedLimits
                || disk.knowsLimit(of: call.endpoint, by: provider.provider.endpoint)
            let arrival = SimulatedEvent.arrive(
                run: number, call, to: configured, sentAt: (instant, now), isReported: isReported)
            let isStuck = isStuckAcrossWindowEnd(call)
            if isStuck || !isQuiet && prng.chance(isReported ? plan.trouble.stuck : plan.trouble.stuckAtFirst) {
                coverage.count("call arrives after it was abandoned")
                run?.stuck[call.id] = arrival
                let timeout = SimulatedProvider.Outcome.failed(.timeout, "stuck", after: .zero)
                eventQueue.add(.replied(run: number, call, timeout), at: now + SimulatedProvider.timeout)
            } else {
                eventQueue.add(arrival, at: now + prng.duration(.milliseconds(1), .seconds(2)))
            }
            if let time = handle(.lossAtCall) { loseRoute(after: .zero, for: time) }
            if let time = handle(.suspendAtCall) { suspend(for: time) }
            if let down = handle(.crashAtCall) {
                try end()
                restart(after: down)
            }
        case .cancel(let id):
            guard run?.calls.remove(id) != nil else { return }
            promises.ended(id, at: now)
            if let endpoint = promises.endpoints.cancelled(id) { providers[configured].lost(endpoint, at: now) }
            comeLate(id)
            let failure = CallFailure(kind: .timeout, message: "given up")
            eventQueue.add(.event(run: number, .callFailed(id, failure)), at: now + .microseconds(50))
        case .checkRoute where isLocal, .resolve where isLocal:
            throw broken("local databases need no route", "\(effect)")
        case .checkRoute(let epoch, let addresses): checkRoute(addresses, epoch: epoch, run: number)
        case .resolve: try resolve(run: number)
        case .resolveName(let name): try resolve(name, run: number)
        case .arm(let deadline): arm(deadline)
        case .answer(let request, let response):
            let asked = promises.openRequests.closed(request)
            if case .entries(let views) = response {
                for view in views where !disk.isWatched(view.address) { promises.openRequests.showed(view, at: now) }
                if let asked { try checkWait(of: asked, endingWith: views) }
            }
            try answer(request, response)
        case .publish(let event, let view, to: let requests):
            digest.add(event.seq ?? -1)
            let message = OutgoingReply.message(publishing: event, view)
            for request in requests { deliver(message, on: request) }
        case .scheduleTurn:
            coverage.count("change takes several turns")
            eventQueue.add(
                .event(run: number, .turnBegan), at: now + prng.duration(.microseconds(1), .milliseconds(5)))
        case .readEvents(let request, let after, let limit):
            read(for: request, run: number) { .eventsRead(request, EventPage($0.events(after: after, limit: limit))) }
        case .answerPart(let request, let response): try answerPart(request, response)
        case .resume(let request): resume(request, run: number)
        case .readChanges(let request, let query):
            read(for: request, run: number) { .changesRead(request, $0.changes(query)) }
        case .readOutages(let request, let before, let limit):
            read(for: request, run: number) { .outagesRead(request, $0.outages(before: before, limit: limit)) }
        case .readNameEvents(let request, let name, let before, let limit):
            read(for: request, run: number) {
                .nameEventsRead(request, $0.events(of: name, before: before, limit: limit))
            }
        case .readLists(let request, let isForced, let isPreview):
            readLists(for: request, isForced: isForced, isPreview: isPreview)
        case .logRefusedReading: coverage.count("lists refused")
        case .logStoreFailure: coverage.count("store failure logged")
        case .logStoreRecovery: coverage.count("store recovery logged")
        case .announce(let event):
            note("journal: \(event.kind) \(event.message ?? "")")
            promises.announced(event, at: now)
        case .describe(let summary): try checkLoss(summary)
        case .finish:
            coverage.count("finish")
            try end()
        }
    }

    /// Sets the only timer, and discards its previous deadline. The timer may fire late, but never fires early.
    private mutating func arm(_ deadline: BootTime?) {
        run?.timer += 1
        run?.deadline = deadline
        guard let deadline, let number = run?.number, let timer = run?.timer else { return }
        let late = prng.duration(.microseconds(1), .milliseconds(5))
        eventQueue.add(
            .timer(run: number, number: timer), at: max(now, machine.moment(of: deadline)) + late)
    }
}
