import RecordKeeping

/// The kernel's routes, the provider's moves, and the resolution of its name.
extension Simulation {
    // MARK: Changes

    /// Schedules a loss of the route and its return.
    mutating func loseRoute(after delay: Duration, for time: Duration) {
        eventQueue.add(.route(isOpen: false), at: now + delay)
        eventQueue.add(.route(isOpen: true), at: now + delay + time)
    }

    /// Applies the beginning or end of a loss.
    mutating func turnRoute(_ isOpen: Bool) {
        let wasUp = routes.isNetworkUp
        if isOpen { routes.putBack(at: now) } else { routes.lose(at: now) }
        guard routes.isNetworkUp != wasUp else { return }
        note("the network is \(isOpen ? "back" : "lost")")
        notifyOfRoutes()
        checkReportsLater()
    }

    /// Schedules the steps of a move of the provider, unless the provider is already moving.
    mutating func moveProvider(_ move: ProviderMove) {
        guard routes.beginMove() else { return }
        for (step, delay) in move.delays { eventQueue.add(.move(step), at: now + delay) }
    }

    /// Performs a step of the provider's move.
    mutating func move(_ step: SimulatedRoutes.MoveStep) {
        let wasOpen = routes.isOpen
        routes.move(step, at: now)
        note("move of the provider: \(step)")
        if routes.isOpen != wasOpen {
            coverage.count("\(step): the route is \(wasOpen ? "lost" : "back")")
        } else if step == .oldRouteRemoved, routes.isOpen {
            coverage.count("the provider moves without a loss")
        }
        if step.isReportedByKernel { notifyOfRoutes() }
        checkReportsLater()
    }

    /// Schedules the kernel's events, which arrive one by one after a short delay. Sometimes there are redundant
    /// events.
    mutating func notifyOfRoutes() {
        guard let number = run?.number, plan.sabotage != .silentKernel else { return }
        for _ in 0..<prng.number(1...3) {
            eventQueue.add(
                .event(run: number, .routesChanged), at: now + prng.duration(.microseconds(10), .milliseconds(100)))
        }
    }

    // MARK: Route checks and resolutions

    /// Answers a route check.
    mutating func checkRoute(_ addresses: [IPAddress], epoch: Int, run number: Int) {
        let wasChecked = routes.isChecked
        let status = routes.check(addresses, at: now)
        if routes.isChecked != wasChecked { checkReportsLater() }
        eventQueue.add(
            .event(run: number, .routeChecked(epoch: epoch, status)),
            at: now + prng.duration(.microseconds(1), .milliseconds(5)))
    }

    /// Resolves the provider's name. The result is the address at the beginning of the resolution, however long the
    /// resolution takes.
    mutating func resolve(run number: Int) throws(Violation) {
        guard run?.isResolving == false else {
            throw broken("one resolution at a time", "a second one began before the first had ended")
        }
        run?.isResolving = true
        run?.resolvedAt = machine.instant(at: now).boot
        let isWorking = routes.isNetworkUp && now >= resolver.failsUntil
        if !isWorking, routes.isNetworkUp { coverage.count("name not resolved") }
        let isPrompt = isWorking && now >= resolver.slowUntil
        let time = prng.duration(.milliseconds(1), isPrompt ? .milliseconds(50) : SimulatedResolver.maxTime)
        eventQueue.add(.event(run: number, .resolved(isWorking ? [routes.address] : [])), at: now + time)
    }

    /// Resolves a watched name. The answer is that of the time at which the resolution ends.
    mutating func resolve(_ name: HostName, run number: Int) throws(Violation) {
        guard run?.resolvedNames.insert(name).inserted == true else {
            throw broken("one resolution of a name at a time", "\(name) is resolved twice")
        }
        guard let count = run?.resolvedNames.count, count <= Limits.resolutionsInFlight else {
            throw broken(
                "few resolutions at a time", "more than \(Limits.resolutionsInFlight) names are being resolved")
        }
        guard run?.isDiskFailing == false else {
            throw broken("no name is resolved while the disk is failing", "\(name) is resolved")
        }
        let isPrompt = routes.isNetworkUp && now >= resolver.faultUntil
        let time = prng.duration(.milliseconds(1), isPrompt ? .milliseconds(50) : SimulatedResolver.maxTime)
        eventQueue.add(.resolved(run: number, name), at: now + time)
    }

    /// Reports the result of a resolution to the core.
    mutating func resolved(_ name: HostName, run number: Int) throws(Violation) {
        guard number == run?.number else { return }
        run?.resolvedNames.remove(name)
        let isWorking = routes.isNetworkUp
        let reply = isWorking ? resolver.reply(about: name, at: now) : .init(answer: .failed("the network is down"))
        if reply.unanswered != nil { coverage.count("answer without a family") }
        if run?.isDiskFailing == false { run?.nameReplies[name] = reply }
        try handle(.nameResolved(name, reply.answer, unanswered: reply.unanswered))
    }

    /// Checks that no call is sent if the last resolution began an interval ago or earlier.
    func checkAge(ofResolutionAfter effects: [Effect], at instant: Instant) throws(Violation) {
        guard let run, !isLocal, !run.isResolving,
            effects.contains(where: { if case .call = $0 { true } else { false } })
        else {
            return
        }
        guard let resolvedAt = run.resolvedAt, instant.boot - resolvedAt < settings.interval else {
            throw broken(
                "no call without a recent resolution", "a call was sent without a new resolution")
        }
    }

    /// Checks that the daemon does not declare a loss while there is a route to the provider's current address.
    ///
    /// Without faults, a resolution and a route check take less than `Limits.maxDoubt`. A resolution that began without
    /// a network may delay the next one.
    mutating func checkLoss(_ summary: Summary) throws(Violation) {
        let isLoss = summary.offlineSince != nil && run?.isOffline == false
        run?.isOffline = summary.offlineSince != nil
        guard isLoss, let run, let openSince = routes.openSince else { return }
        let undisturbedSince = max(run.since, openSince, resolver.faultUntil, machine.asleepUntil)
        guard now - undisturbedSince > SimulatedResolver.maxTime + .seconds(2) else { return }
        throw broken("no loss is declared while there is a route", "there has been one since \(openSince)")
    }

    /// Begins a fault of the resolver, and schedules a check after its end.
    mutating func breakResolver(_ fault: WritableKeyPath<SimulatedResolver, Moment>, for time: Duration) {
        resolver[keyPath: fault] = now + time
        eventQueue.add(.checkRouteReport(nil), at: now + time + slowReport + .seconds(12))
    }

    // MARK: Reports

    /// The time within which a change of the routes is reported, if the route checks include the provider's address.
    private var promptReport: Duration { settings.debounce + Limits.maxDoubt + .seconds(2) }

    /// The time within which any change is reported, even if the daemon first has to learn the provider's address: the
    /// rest of a resolution in progress, the time between resolutions, and the report.
    private var slowReport: Duration { SimulatedResolver.maxTime + Limits.resolutionRetry + promptReport }

    /// Schedules checks of whether the last change has been logged.
    private mutating func checkReportsLater() {
        for wait in [promptReport, slowReport] {
            eventQueue.add(.checkRouteReport(routes.sinceChecked), at: now + wait)
        }
    }

    /// Checks that the logged state matches the routes once they have been stable for long enough.
    ///
    /// If the name server reports an address that the daemon does not check yet, a missing route to it is found with
    /// the next call; a route to it is found with the next resolution.
    ///
    /// - Parameter change: the time of the change; nil for the last one.
    mutating func checkRouteReport(_ change: Moment?) throws(Violation) {
        let since = routes.sinceChecked
        guard let run, !isLocal, !run.isStopping, change ?? since == since, routes.isChecked || routes.isOpen else {
            return
        }
        let wait = routes.isChecked ? promptReport : slowReport
        let slack = Duration.seconds(11)
        guard now - since >= wait, now - run.since > wait + slack, now - machine.asleepUntil > wait,
            routes.isChecked || now - resolver.faultUntil > wait + slack,
            now - disk.slowUntil > wait + Self.slowWrite, now - disk.failsUntil > .seconds(65)
        else { return }
        coverage.count(routes.isOpen ? "return reported" : "loss reported")
        guard promises.isReportedLost != routes.isOpen else {
            let what = routes.isOpen ? "return" : "loss"
            throw broken("a \(what) is reported at once", "not reported since \(since)")
        }
    }
}
