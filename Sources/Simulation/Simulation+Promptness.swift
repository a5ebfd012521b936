import ProviderModel
import RecordKeeping

/// The checks of the order, the shares and the promptness of calls.
extension Simulation {
    /// The time between two checks of promptness.
    static let promptnessChecks = Duration.seconds(10)
    /// The time within which a call is reserved on disk, sent and counted by the provider.
    static let prompt = Duration.seconds(6)
    /// The time within which a call is made for an address although the other endpoint fails: longer than the trials of
    /// that endpoint, each of which may take as long as the timeout of a call.
    private static let promptAfterFailure = Duration.seconds(60)
    /// The number of addresses above which these checks are left out, since they read every address.
    private static let maxAddresses = 1_000

    /// The current conditions; nil if the process, the machine or the route keeps the daemon from making calls.
    private var conditions: Conditions? {
        conditions(failedAt: promises.lastFailure, succeededAt: promises.lastSuccess)
    }

    /// - Parameters:
    ///   - failure: the time of the last failure of the calls in question.
    ///   - success: the time of their last success.
    private func conditions(failedAt failure: Moment?, succeededAt success: Moment?) -> Conditions? {
        guard let run, !isLocal, !run.isStopping, routes.isOpen, routes.isChecked,
            plan.addresses.count <= Self.maxAddresses
        else { return nil }
        let upSince = max(run.since, routes.sinceChecked, machine.asleepUntil) + Conditions.starting
        guard upSince < now else { return nil }
        var calmSince = max(
            upSince, run.since + Conditions.callBackoff, machine.asleepUntil + Conditions.callBackoff,
            disk.failsUntil + Conditions.storeBackoff,
            disk.slowUntil + Conditions.starting,
            provider.slowUntil + Conditions.starting)
        if let failure {
            let hasRecovered = success.map { $0 > failure } ?? false
            calmSince = max(calmSince, hasRecovered ? failure + Conditions.callBackoff : now + .seconds(1))
        }
        return Conditions(upSince: upSince, calmSince: calmSince)
    }

    private func waiting(_ conditions: Conditions) -> [Waiting] {
        promises.waiting(among: plan.addresses, conditions, disk: disk, machine: machine, at: now)
    }

    /// Checks the order and the shares of a call's addresses, and the kept calls, before the call counts as sent.
    mutating func checkChoice(of call: Call) throws(Violation) {
        run?.lookups.called(call.addresses, at: now)
        defer { promises.openRequests.called(call.addresses) }
        guard let conditions else {
            promises.contentions = [:]
            return
        }
        let waiting = waiting(conditions)
        try promises.checkOrder(of: call, waiting, disk: disk, coverage: &coverage, at: now)
        try promises.checkShares(of: call, waiting, conditions, disk: disk, coverage: &coverage, at: now)
        try checkKeptCalls(before: call, conditions)
    }

    /// Checks that lookups that no client waits for leave some calls of the window to those that a client waits for.
    private mutating func checkKeptCalls(before call: Call, _ conditions: Conditions) throws(Violation) {
        // Shortly before the end of a window, which the daemon knows with an error of some seconds, no calls are kept.
        guard conditions.calmSince + SimulatedProvider.window < now, !plan.isQuotaUncertain,
            let limit = provider.model.quota(of: call.endpoint), let quota = provider.announced[call.endpoint],
            quota.knownSince != nil, let opened = quota.opened,
            now + Limits.release * 2 < opened + SimulatedProvider.window,
            call.addresses.allSatisfy({ promises.isUnawaitedLookup($0, disk: disk, at: now) })
        else { return }
        coverage.count("checked: kept calls")
        guard provider.remaining(of: call.endpoint, at: now) > max(1, limit / 9) else {
            throw broken(
                "calls are kept for lookups that a client waits for",
                "the last \(call.endpoint) calls of a window were used for lookups that no client waits for")
        }
    }

    /// Checks that watches end soon after their time, unless the process, the machine, the disk or the clock is the
    /// reason for a delay.
    private func checkWatchEnds() throws(Violation) {
        guard let run, !run.isStopping, plan.hasTemporaryWatches else { return }
        let calmSince = max(run.since, machine.asleepUntil, machine.lastStep, disk.failsUntil, disk.slowUntil)
        guard now - calmSince > Self.endOfWatch else { return }
        let (start, current) = (machine.instant(at: run.since), machine.instant(at: now))
        let elapsed = disk.minElapsed(of: machine.bootID, since: start.boot, at: current.boot)
        try promises.checkWatchEnds(
            disk, before: current.wall + (.zero - Self.endOfWatch), elapsed: elapsed - Self.endOfWatch, at: now)
    }

    /// The time within which a watch ends: the backoff of a failing store, and a long commit.
    private static let endOfWatch = Duration.seconds(120)

    // MARK: Promptness

    /// Checks that no address waits although the quota certainly allows a call for it.
    mutating func checkPromptness() throws(Violation) {
        if !hasEnded { eventQueue.add(.checkPromptness, at: now + Self.promptnessChecks) }
        try checkWatchEnds()
        try checkLocalPromptness()
        for endpoint in Call.Endpoint.allCases { try checkServing(endpoint) }
        guard let conditions, conditions.calmSince + Self.prompt < now, !plan.isQuotaUncertain,
            promises.inFlight.isEmpty
        else { return }
        let waiting = waiting(conditions).filter { max($0.since, conditions.calmSince) + Self.prompt < now }
        for waiting in waiting {
            for endpoint in Call.Endpoint.allCases {
                let room = roomSince(endpoint, for: waiting)
                guard let room, max(room, conditions.calmSince) + Self.prompt < now else { continue }
                let rank = waiting.rank.map { "\($0)" } ?? "refresh"
                throw broken(
                    "a due address is called while quota is left",
                    "\(waiting.address) (\(rank)) has waited since \(waiting.since), and \(endpoint) calls are left: "
                        + "\(provider.remaining(of: endpoint, at: now)) since \(room)")
            }
        }
        let queued = queuedLookups(conditions).map { Waiting(address: $0.0, rank: .lookup, since: $0.1) }
        try checkThirds(of: waiting + queued.filter { $0.since + Self.prompt < now })
        if !waiting.isEmpty { coverage.count("checked: promptness while addresses wait") }
        coverage.count("checked: promptness")
    }

    /// Checks that while the other endpoint keeps failing, this one serves the addresses that wait.
    private mutating func checkServing(_ endpoint: Call.Endpoint) throws(Violation) {
        let (failures, successes) = (promises.endpoints.lastFailure, promises.endpoints.lastSuccess)
        guard let failure = failures[endpoint.other], now < failure + Conditions.callBackoff, !plan.isQuotaUncertain,
            let conditions = conditions(failedAt: failures[endpoint], succeededAt: successes[endpoint]),
            conditions.calmSince + Self.promptAfterFailure < now
        else { return }
        for waiting in waiting(conditions) {
            guard let room = roomSince(endpoint, for: waiting) else { continue }
            coverage.count("checked: promptness beside a failing endpoint")
            guard max(waiting.since, room, conditions.calmSince) + Self.promptAfterFailure < now
            else { continue }
            throw broken(
                "while one endpoint fails, the other serves the addresses that wait",
                "\(waiting.address) has waited since \(waiting.since), and \(endpoint) calls are left since \(room)")
        }
    }

    /// Checks that a client's wait neither ends early without a reason, nor ends because of the quota although the
    /// quota certainly allows a call.
    mutating func checkWait(
        of request: OpenRequests.OpenRequest, endingWith views: [EntryView]
    ) throws(Violation) {
        try checkReasons(of: views, endingWaitOf: request)
        guard now < request.since + request.wait, let conditions, conditions.calmSince + Self.prompt < now,
            !plan.isQuotaUncertain, promises.inFlight.isEmpty
        else { return }
        for view in views where view.failure?.kind == .quotaExhausted {
            coverage.count("checked: early end of a wait")
            let rank = disk.isWatched(view.address) ? Waiting.Rank.urgent : .lookup
            let waiting = Waiting(address: view.address, rank: rank, since: request.since)
            for endpoint in Call.Endpoint.allCases {
                guard let room = roomSince(endpoint, for: waiting), room + Self.prompt < now else { continue }
                throw broken(
                    "a client waits while quota is left",
                    "the wait for \(view.address) ended early, and \(endpoint) calls are left: "
                        + "\(provider.remaining(of: endpoint, at: now)) since \(room)")
            }
        }
    }

    /// Checks that if a wait ends before any call has ended, each entry without a fresh record has the reason why the
    /// daemon does not wait for its record. Once a call has ended, the reason may no longer apply.
    private mutating func checkReasons(
        of views: [EntryView], endingWaitOf request: OpenRequests.OpenRequest
    ) throws(Violation) {
        guard now < request.since + request.wait, promises.lastCallEnd < request.since, run?.isStopping == false else {
            return
        }
        for view in views where view.state == .loading || view.state == .stale {
            coverage.count("checked: reason for a wait that ends at once")
            // The record may have been fresh when the request arrived. A record that was written since then may have
            // expired before the reply to its call arrived.
            let expiry = promises.scans[view.address].map { $0.moment + plan.interval }
            guard view.failure == nil, expiry.map({ $0 < request.since }) ?? true,
                disk.lastWrite(of: view.address) < request.since
            else { continue }
            throw broken(
                "a wait that ends at once has a reason",
                "the wait of \(request.wait) for \(view.address), which is \(view.state), ended after "
                    + "\(now - request.since)")
        }
    }

    /// Returns the time since which the quota of an endpoint has certainly allowed a call for a waiting address, even
    /// if calls are kept for addresses that may become due; nil if this is not certain.
    private func roomSince(_ endpoint: Call.Endpoint, for waiting: Waiting) -> Moment? {
        guard !promises.endpoints.mayWait(for: endpoint, at: now) else { return nil }
        guard let limit = provider.model.quota(of: endpoint) else { return .start }
        guard let opened = provider.announced[endpoint]?.opened else { return nil }
        let end = opened + SimulatedProvider.window
        if now >= end {
            // The daemon knows the end only to within a few seconds. A new window allows a batch of any rank.
            return endpoint == .batch ? end + Conditions.starting : nil
        }
        guard let quota = provider.announced[endpoint], let known = quota.knownSince else { return nil }
        let lookups = waiting.rank == .lookup || !expectsLookups ? 0 : (limit + 2) / 3
        let left = provider.remaining(of: endpoint, at: now) - quota.countedTwice - lookups
        // The first check is fast, and usually decides.
        return left > 0 && left > refreshes(before: end + Conditions.starting, except: []) ? known : nil
    }

    /// Whether the daemon may keep calls for lookups, because a client has recently asked for an address.
    private var expectsLookups: Bool {
        promises.openRequests.lastRequest.map { now - $0 < SimulatedProvider.window * 2 + Conditions.starting } ?? false
    }

    /// Returns the number of watched addresses for which calls may be kept, because they are due before `end`.
    ///
    /// - Parameter waiting: addresses for which no call is kept, because they are due.
    private func refreshes(before end: Moment, except waiting: Set<IPAddress>) -> Int {
        plan.addresses.count {
            disk.isWatched($0) && !waiting.contains($0)
                && promises.scans[$0].map { $0.moment + plan.interval < end } ?? true
        }
    }

    /// Checks at the end of a provider's window that no call is left while addresses wait.
    mutating func checkWindowEnd(_ endpoint: Call.Endpoint, of number: Int) throws(Violation) {
        guard number == configured, let conditions, conditions.calmSince + SimulatedProvider.window < now,
            !promises.endpoints.mayWait(for: endpoint, at: now), !plan.isQuotaUncertain,
            let quota = provider.announced[endpoint], let known = quota.knownSince,
            known + Self.prompt < now, let inFlight = run?.calls.count, inFlight < Limits.callsInFlight
        else { return }
        coverage.count("checked: end of a window")
        let left = provider.remaining(of: endpoint, at: now) - quota.countedTwice - inFlight
        guard left > 0 else { return }
        let release = Limits.release + Self.prompt
        let waiting = waiting(conditions).map { ($0.address, $0.since) } + queuedLookups(conditions)
        let due = waiting.filter { $0.1 + release < now }
        guard let (address, since) = due.first else { return }
        guard left > refreshes(before: now + Conditions.starting, except: Set(due.map(\.0))) else { return }
        throw broken(
            "the quota that others do not need is used",
            "\(left) calls are left at the end of a window, and \(address) has waited since \(since)")
    }

    /// The lookups that certainly wait for the quota, even if no client waits for them, and the time since which they
    /// wait.
    func queuedLookups(_ conditions: Conditions) -> [(IPAddress, Moment)] {
        promises.openRequests.queuedLookups.sorted { $0.key < $1.key }
            .filter { address, since in
                conditions.calmSince < since && disk.lastWrite(of: address) + Promises.applying < since
                    && !disk.isWatched(address) && disk.entry(address)?.failure == nil
                    && promises.inFlight[address] == nil
            }
            .map { ($0.key, $0.value) }
    }
}
