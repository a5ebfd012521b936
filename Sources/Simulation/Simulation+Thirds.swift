import ProviderModel
import RecordKeeping

/// The check that each rank may use a third of the single calls of a window, regardless of the calls kept for other
/// ranks.
extension Simulation {
    /// Records a single call that is sent.
    mutating func noteSingleCall(_ call: Call) {
        guard call.endpoint == .single, let address = call.addresses.first else { return }
        run?.singleCalls.removeAll { $0.sentAt + SimulatedProvider.window * 2 < now }
        run?.singleCalls.append((disk.isWatched(address), now))
    }

    /// Checks that no address waits although its rank has not used its third of the single calls of the window.
    ///
    /// - Parameter waiting: addresses that have waited for longer than a prompt call takes.
    mutating func checkThirds(of waiting: [Waiting]) throws(Violation) {
        guard let calls = run?.singleCalls, !promises.endpoints.mayWait(for: .single, at: now),
            let limit = provider.model.quota(of: .single), let quota = provider.announced[.single],
            let opened = quota.opened, now < opened + SimulatedProvider.window,
            quota.hasNoLostCalls, let known = quota.knownSince, known + Self.prompt < now,
            // A ninth of the calls is kept for lookups that a client waits for.
            provider.remaining(of: .single, at: now) - quota.countedTwice > max(1, limit / 9) + 1
        else { return }
        let inWindow = calls.filter { opened < $0.sentAt + AnnouncedQuota.maxDelay }
        let refreshes = inWindow.count { $0.isRefresh }
        for waiter in waiting {
            let isRefresh = waiter.rank != .lookup
            let used = isRefresh ? refreshes : inWindow.count - refreshes
            coverage.count("checked: thirds of single calls")
            // The third is accurate only to within one call.
            guard 3 * (used + 1) < limit - quota.countedTwice else { continue }
            throw broken(
                "each rank may use a third of a window",
                "\(waiter.address) (\(isRefresh ? "refresh" : "lookup")) has waited since \(waiter.since), "
                    + "and only \(used) of \(limit) single calls were used for its rank")
        }
    }
}
