/// The resolution of the provider's name to the addresses that route checks use.
///
/// The name is resolved before a loss of the route is declared, at intervals while the loss lasts, when the route
/// returns, and when the provider is unreachable. While there is a route, no timer is set, so that an idle daemon does
/// not wake up: a call or a route event resolves the name if the last resolution is older than the interval.
extension Keeper {
    /// Resolves the name, after the resolution in progress if there is one.
    mutating func resolve(at now: Instant) {
        guard phase != .finished, connectivity.isNeeded, resolution.request(at: now.boot) else { return }
        emit(.resolve)
    }

    /// Handles the end of a resolution.
    ///
    /// - Parameter addresses: empty if the name could not be resolved.
    mutating func resolved(_ addresses: [IPAddress], at now: Instant) {
        let isUpToDate = resolution.ended()
        if connectivity.resolved(addresses, isUpToDate: isUpToDate) { checkRoute() }
        if !isUpToDate { resolve(at: now) }
    }

    /// Resolves the name if the last resolution began at least an interval ago.
    mutating func resolveIfOld(at now: Instant) {
        guard resolution.state == .idle, resolution.isOlder(than: settings.interval, at: now.boot) else { return }
        resolve(at: now)
    }

    /// Handles a route event that did not change the state. If there is no route, the provider may have moved, so its
    /// name is resolved again. Such resolutions are at least `Limits.resolutionGap` apart, because routes can change
    /// at a high rate.
    mutating func resolveAfterRouteEvent(at now: Instant) {
        guard connectivity.loss != nil else { return resolveIfOld(at: now) }
        let earliest = resolution.lastBegan.map { $0 + Limits.resolutionGap } ?? now.boot
        guard earliest > now.boot else { return resolveWhileLost(at: now) }
        if schedule.deadline(of: TimerID.resolution.id).map({ earliest < $0 }) ?? true {
            schedule.set(TimerID.resolution.id, to: earliest)
        }
    }

    /// Resolves the name, and schedules the next resolution. A slow resolver is not asked again before it answers.
    mutating func resolveWhileLost(at now: Instant) {
        schedule.set(TimerID.resolution.id, to: now.boot + Limits.resolutionRetry)
        if resolution.state == .idle { resolve(at: now) }
    }
}
