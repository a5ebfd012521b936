/// Calls for due addresses, and the handling of their results.
extension Keeper {
    // MARK: Sending

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
        awaitWindows(at: now)
    }

    /// Returns the endpoint of the next call; nil if no call may be sent. One address uses the single endpoint, several
    /// use a batch. Addresses that exceed the batch quota use the single endpoint once that quota is used up, so that
    /// both quotas are spent.
    private func endpointForNextCall(at now: Instant) -> Call.Endpoint? {
        guard !due.isEmpty else { return nil }
        // No call is sent while a failure waits for the route check. While the provider fails, only one call is in
        // flight at a time, to find out whether it still fails.
        guard uncheckedFailures.isEmpty, !provider.isFailing || flights.isEmpty else { return nil }
        let isOne = due.count == 1 || provider.isFailing
        let singles = mayCall(.single, at: now)
        if isOne {
            // If the call is being reserved at the single endpoint, it needs no reservation at the batch endpoint.
            if room(.single, at: now.boot) == 0, quotas[.single]?.reservations.uncommitted ?? 0 > 0 { return nil }
            return singles ? .single : mayCall(.batch, at: now) ? .batch : nil
        }
        if mayCall(.batch, at: now) { return .batch }
        return singles && addressesBeyondBatches(at: now) > 0 ? .single : nil
    }

    /// Returns the number of due addresses that exceed the batches left in the window for them.
    private func addressesBeyondBatches(at now: Instant) -> Int {
        guard let left = quotas[.batch]?.left(at: now.boot) else { return 0 }
        return keepsCallsForLater(.batch, at: now) ? due.count : max(0, due.count - left * Limits.addressesPerBatch)
    }

    /// Whether a call to the endpoint may be sent or reserved, and may contain some of the due addresses.
    private func mayCall(_ endpoint: Call.Endpoint, at now: Instant) -> Bool {
        room(endpoint, at: now.boot) > 0 && nextCall(to: endpoint, at: now).total > 0
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
            become(.asked(id), index, at: now)
        }
        let call = Call(id: id, endpoint: endpoint, addresses: batch.indices.map { slots.peek($0).address })
        quotas[endpoint]?.sent(at: now.boot, batch.counts)
        provider.called(at: now)
        flights[id] = Flight(call: call, sentAt: now.boot)
        emit(.call(call))
        resolveIfOld(at: now)
        return true
    }

    /// Reserves the next calls on disk, for both endpoints in one commit if there are enough due addresses.
    private mutating func reserve(_ endpoint: Call.Endpoint, at now: Instant) {
        if endpoint == .batch, !provider.isFailing { reserve(.single, for: addressesBeyondBatches(at: now), at: now) }
        let isAlone = due.count == 1 || provider.isFailing
        let count = isAlone ? 1 : endpoint == .batch ? due.count : addressesBeyondBatches(at: now)
        reserve(endpoint, for: count, at: now)
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

    /// Schedules the next attempt for the end of the quota windows, if addresses are still due.
    private mutating func awaitWindows(at now: Instant) {
        for endpoint in Call.Endpoint.allCases {
            guard !due.isEmpty else {
                schedule.remove(TimerID.windowOver(endpoint).id)
                continue
            }
            guard let quota = quotas[endpoint], let end = quota.window.latestEnd, end > now.boot else { continue }
            let timer = TimerID.windowOver(endpoint).id
            // Kept calls may have been reserved, so that the quota seems used up.
            if keepsCallsForLater(endpoint, at: now) {
                schedule.set(timer, to: quota.releaseTime.flatMap { $0 > now.boot ? $0 : nil } ?? end)
            } else if quota.isExhausted(at: now.boot) {
                schedule.set(timer, to: end)
            }
        }
    }

    // MARK: Results

    /// Handles a reply, and queues it for the next commit.
    mutating func replied(_ id: Call.ID, _ reply: Reply, at now: Instant) {
        guard let flight = flights[id] else { return }
        let addresses = flight.call.addresses
        let isUseless = addresses.count > 1 && !addresses.contains { reply.answers[$0]?.isUsable == true }
        guard !isUseless else {
            let message = "the reply contains none of the \(addresses.count) requested addresses"
            failed(id, CallFailure(kind: .malformed, message: message, quota: reply.quota), at: now)
            return
        }
        flights[id] = nil
        quotas[flight.call.endpoint]?.returned(
            reply.quota, succeeded: true, sentAt: flight.sentAt, at: now.boot)
        if provider.succeeded(at: now) {
            outages.end(at: now.wall)
            publishHealth(.providerRecovered, "the provider is answering again", at: now)
        }
        for address in addresses {
            guard let index = slots.index(of: address) else { continue }
            if case .asked(let other) = slots.activity(of: index), other != id { continue }
            leaveQueues(index)
            become(.committing, index, at: now)
        }
        commitQueue.add(.reply(addresses, reply))
        if case .lost = connectivity.state { checkRoute() }
    }

    /// Handles the failure of a call, whose cause may be the route, the provider or an address.
    mutating func failed(_ id: Call.ID, _ failure: CallFailure, at now: Instant) {
        guard let flight = flights.removeValue(forKey: id) else { return }
        var endIsKnown = false
        if failure.kind == .throttled {
            endIsKnown =
                quotas[flight.call.endpoint]?.refused(failure.quota, sentAt: flight.sentAt, at: now.boot) ?? false
        } else {
            quotas[flight.call.endpoint]?.returned(
                failure.quota, succeeded: false, sentAt: flight.sentAt, at: now.boot)
        }
        if flight.isCancelled || connectivity.loss != nil || failure.kind == .offline {
            putBack(flight.call, at: now)
            return
        }
        switch failure.kind {
        case .unreachable, .timeout:
            // The route may have been lost since the last check. In that case, the provider is not at fault.
            uncheckedFailures.append((flight, failure))
            if !connectivity.isUndecided { checkRoute() }
        case .offline, .throttled, .unauthorized, .rejected, .malformed, .quotaExhausted, .storeFailed:
            attribute(flight, failure, endIsKnown: endIsKnown, at: now)
        }
    }

    /// Handles a failure that the route did not cause: the provider or an address is at fault.
    mutating func attribute(_ flight: Flight, _ failure: CallFailure, endIsKnown: Bool = false, at now: Instant) {
        let addresses = flight.call.addresses
        if !provider.isFailing, addresses.count == 1, let index = slots.index(of: addresses[0]),
            DueQueues.maxBatchSize(afterFailures: slots.peek(index).consecutiveFailures) == 1
        {
            become(.committing, index, at: now)
            commitQueue.add(.addressFailed(addresses[0], failure))
            return
        }
        if !provider.isFailing, failure.kind.mayBeCausedByAddress {
            for index in addresses.compactMap({ slots.index(of: $0) }) {
                slots.addFailure(index, atMost: 8)
            }
        }
        let isNew = provider.failed(failure, mayRetryAtOnce: endIsKnown, at: now, random: &random)
        noteProviderFailure(failure.message, isNew: isNew, of: addresses.count, at: now)
        if isNew {
            publishHealth(failure.kind == .throttled ? .throttled : .providerFailed, failure.message, at: now)
        } else {
            commitQueue.add(.saveHealth)
        }
        if failure.kind == .unreachable { resolve(at: now) }
        putBack(flight.call, at: now)
        for address in addresses {
            for index in waiters.resolve(address) { answerCaller(index, at: now) }
            dropIfUseless(address)
        }
    }

    /// Whether the entry is in this call.
    func isAsked(_ index: Int, by call: Call) -> Bool { slots.activity(of: index) == .asked(call.id) }

    /// Makes the addresses of a failed call due again, behind all others: if one of them caused the failure, the next
    /// calls will show which one. Entries that are no longer needed are removed.
    mutating func putBack(_ call: Call, at now: Instant) {
        for address in call.addresses {
            guard let index = slots.index(of: address), isAsked(index, by: call) else { continue }
            if isUseless(index) { drop(index) } else { becomeDue(index, since: now.boot, at: now) }
        }
    }

    /// Cancels all calls in flight.
    mutating func cancelCalls() {
        for id in flights.keys.sorted() {
            flights[id]?.isCancelled = true
            emit(.cancel(id))
        }
    }

    /// Queues an event about the route or the provider for the next commit.
    mutating func publishHealth(_ kind: PublishedEvent.Kind, _ message: String, at now: Instant) {
        commitQueue.add(.publish(kind, at: now.wall, message: message, announced: false))
        if commitQueue.isFailing { announceQueuedEvents() }
    }
}

extension ElementAnswer {
    fileprivate var isUsable: Bool {
        if case .answered = self { true } else { false }
    }
}

extension Failure.Kind {
    /// Whether a single address can make the provider fail for all addresses of the call.
    fileprivate var mayBeCausedByAddress: Bool {
        switch self {
        case .timeout, .rejected, .malformed: true
        case .offline, .unreachable, .throttled, .unauthorized, .quotaExhausted, .storeFailed: false
        }
    }
}
