/// Calls for due addresses.
extension Keeper {
    /// Sends calls for due addresses, as far as the route, the provider and its quota allow.
    mutating func dispatch(at now: Instant) {
        guard phase == .running, connectivity.isOpen, !commitQueue.isFailing, !due.isEmpty else { return }
        for endpoint in Call.Endpoint.allCases { quotas[endpoint]?.endWindow(at: now.boot) }
        if let retryAt = provider.retryAt, now.boot < retryAt {
            schedule.set(TimerID.providerRetry.id, to: retryAt)
            return
        }
        if let gatherUntil, now.boot < gatherUntil, due.count < Limits.addressesPerBatch {
            schedule.set(TimerID.gathered.id, to: gatherUntil)
            return
        }
        while let endpoint = endpointForNextCall(at: now) {
            guard send(to: endpoint, at: now) else { break }
        }
        awaitEndpoints(at: now)
    }

    /// Returns the endpoint of the next call; nil if no call may be sent. One address uses the single endpoint, several
    /// use a batch. Addresses that exceed the batch quota use the single endpoint once that quota is used up, so that
    /// both quotas are spent. While an endpoint fails, the other one takes its place.
    private func endpointForNextCall(at now: Instant) -> Call.Endpoint? {
        // No call is sent while a failure waits for the route check.
        guard !due.isEmpty, uncheckedFailures.isEmpty else { return nil }
        if let failing = Call.Endpoint.allCases.first(where: { shouldTry($0, at: now) }) { return failing }
        if due.count == 1 {
            // If the call is being reserved at the single endpoint, it needs no reservation at the batch endpoint.
            if !provider[.single].isFailing, room(.single, at: now.boot) == 0,
                quotas[.single]?.reservations.uncommitted ?? 0 > 0
            {
                return nil
            }
            return canServe(.single, at: now) ? .single : canServe(.batch, at: now) ? .batch : nil
        }
        if canServe(.batch, at: now) { return isNextAlone(at: now) && canServe(.single, at: now) ? .single : .batch }
        return canServe(.single, at: now) && addressesBeyondBatches(at: now) > 0 ? .single : nil
    }

    /// Returns whether the next call should find out if a failing endpoint still fails; false if the endpoint works. If
    /// the other endpoint works, such a trial contains one background refresh. If no background refresh is due, the
    /// trial could delay a client, so it is postponed by up to `Limits.maxTrialDelay` while the other endpoint can be
    /// called.
    private func shouldTry(_ endpoint: Call.Endpoint, at now: Instant) -> Bool {
        guard let failure = provider[endpoint].failure, mayCall(endpoint, at: now) else { return false }
        let isDispensable = due.counts.background > 0 || !canServe(endpoint.other, at: now)
        return isDispensable || (provider[endpoint].retryAt ?? failure.at.boot) + Limits.maxTrialDelay <= now.boot
    }

    /// Whether an endpoint works, and may be called for some of the due addresses.
    private func canServe(_ endpoint: Call.Endpoint, at now: Instant) -> Bool {
        !provider[endpoint].isFailing && mayCall(endpoint, at: now)
    }

    /// Whether the next batch would contain only one address, because that address may make every batch fail.
    private func isNextAlone(at now: Instant) -> Bool {
        func isAlone(_ index: Int?) -> Bool {
            index.map { DueQueues.maxBatchSize(afterFailures: slots.peek($0).consecutiveFailures) == 1 } ?? false
        }
        // The first check is fast, and nearly always sufficient.
        return isAlone(due.first(of: due.counts)) && isAlone(due.first(of: nextCall(to: .batch, at: now)))
    }

    /// Whether the health of the endpoint allows a call. While an endpoint fails, only one call is in flight at a time.
    private func mayTry(_ endpoint: Call.Endpoint, at now: Instant) -> Bool {
        guard provider[endpoint].isFailing else { return true }
        return provider[endpoint].retryAt.map { $0 <= now.boot } ?? true && quotas[endpoint]?.inFlight == 0
    }

    /// Returns the number of due addresses that do not fit into the batches left for them in the window.
    private func addressesBeyondBatches(at now: Instant) -> Int {
        guard mayTry(.batch, at: now), !provider[.batch].isFailing else { return due.count }
        guard let left = quotas[.batch]?.left(at: now.boot) else { return 0 }
        return keepsCallsForLater(.batch, at: now) ? due.count : max(0, due.count - left * Limits.addressesPerBatch)
    }

    /// Whether a call to the endpoint may be sent or reserved, and may contain some of the due addresses.
    private func mayCall(_ endpoint: Call.Endpoint, at now: Instant) -> Bool {
        mayTry(endpoint, at: now) && room(endpoint, at: now.boot) > 0 && nextCall(to: endpoint, at: now).total > 0
    }

    /// Returns the number of calls that may be sent: those that the window still allows, and those that are reserved on
    /// disk.
    private func room(_ endpoint: Call.Endpoint, at now: BootTime) -> Int {
        quotas[endpoint].map { $0.room(at: now) + $0.reserved(at: now) } ?? 0
    }

    /// - Returns: whether a call was sent, so that another may follow.
    private mutating func send(to endpoint: Call.Endpoint, at now: Instant) -> Bool {
        guard let quota = quotas[endpoint] else { return false }
        if quota.needsReservation, quota.reserved(at: now.boot) == 0 {
            reserve(endpoint, at: now)
            return false
        }
        let batch = due.dequeue(nextCall(to: endpoint, at: now)) { slots.peek($0).consecutiveFailures }
        guard !batch.indices.isEmpty else { return false }
        lastCall += 1
        let id = Call.ID(number: lastCall)
        for index in batch.indices {
            // Retries are not counted: they would be as late as the failure is long.
            // Refreshes of records from local databases or from another source are not counted either: these records
            // had no deadline.
            if slots.peek(index).isWatched, !slots.hasFailed(index), let cohort = slots.cohort(of: index),
                cohort.version == nil, case .interval = validity, case .at(let expiry) = end(of: cohort)
            {
                counters.called(at: now.boot, expiry: expiry)
            }
            become(.asked(id), index, at: now)
        }
        let call = Call(
            id: id, endpoint: endpoint, addresses: batch.indices.map { slots.peek($0).address },
            digests: batch.indices.map { slots.isRepeatable($0) ? slots.peek($0).digest : nil })
        quotas[endpoint]?.sent(at: now.boot, batch.counts)
        provider.called(endpoint, at: now)
        flights[id] = Flight(call: call, slots: batch.indices, sentAt: now.boot)
        emit(.call(call))
        resolveIfOld(at: now)
        return true
    }

    /// Reserves the next calls on disk, for both endpoints in one commit if there are enough due addresses.
    private mutating func reserve(_ endpoint: Call.Endpoint, at now: Instant) {
        for each in Call.Endpoint.allCases where each == endpoint || (each == .single && mayTry(each, at: now)) {
            reserve(each, for: addresses(for: each, insteadOf: endpoint, at: now), at: now)
        }
    }

    /// Returns the number of due addresses for calls to an endpoint.
    ///
    /// - Parameter next: the endpoint of the next call.
    private func addresses(for endpoint: Call.Endpoint, insteadOf next: Call.Endpoint, at now: Instant) -> Int {
        let minimum = endpoint == next ? 1 : 0
        if due.count == 1 || provider[endpoint].isFailing { return minimum }
        return max(minimum, endpoint == .batch ? due.count : addressesBeyondBatches(at: now))
    }

    private mutating func reserve(_ endpoint: Call.Endpoint, for count: Int, at now: Instant) {
        guard let quota = quotas[endpoint], quota.needsReservation else { return }
        let calls = (count + quota.addressesPerCall - 1) / quota.addressesPerCall
        let reserved = quota.reservations.uncommitted + quota.reserved(at: now.boot)
        let wanted = min(calls - reserved, quota.room(at: now.boot))
        guard wanted > 0 else { return }
        quotas[endpoint]?.reserve(wanted, at: now.boot)
        commitQueue.add(.saveHealth)
    }

    /// Schedules the next attempt for the end of the backoffs and of the quota windows, if addresses are still due.
    private mutating func awaitEndpoints(at now: Instant) {
        let retries = due.isEmpty ? [] : Call.Endpoint.allCases.compactMap { provider[$0].retryAt }
        if let retryAt = retries.filter({ $0 > now.boot }).min() {
            schedule.set(TimerID.providerRetry.id, to: retryAt)
        } else {
            schedule.remove(TimerID.providerRetry.id)
        }
        for endpoint in Call.Endpoint.allCases {
            guard !due.isEmpty else {
                schedule.remove(TimerID.windowOver(endpoint).id)
                continue
            }
            guard let quota = quotas[endpoint], let end = quota.window.latestEnd, end > now.boot else { continue }
            let timer = TimerID.windowOver(endpoint).id
            // Calls that are kept for other addresses may have been reserved, so that the quota appears to be used up.
            if keepsCallsForLater(endpoint, at: now) {
                schedule.set(timer, to: quota.releaseTime.flatMap { $0 > now.boot ? $0 : nil } ?? end)
            } else if quota.isExhausted(at: now.boot) {
                schedule.set(timer, to: end)
            }
        }
    }

    /// Cancels all calls in flight.
    mutating func cancelCalls() {
        for id in flights.keys.sorted() {
            flights[id]?.isCancelled = true
            emit(.cancel(id))
        }
    }
}
