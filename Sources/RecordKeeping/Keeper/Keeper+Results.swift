/// The handling of the results of calls.
extension Keeper {
    /// Handles a reply, and queues it for the next commit.
    mutating func replied(_ id: Call.ID, _ reply: Reply, at now: Instant) {
        guard let flight = flights[id] else { return }
        let addresses = flight.call.addresses
        // Damage in a local database concerns single addresses, so a reply without a usable answer is not a failure.
        guard
            reply.version != nil || reply.repetitions.contains(true)
                || addresses.contains(where: { reply.answers[$0]?.isUsable == true })
        else {
            let message = reply.problem(of: addresses)
            failed(id, CallFailure(kind: .malformed, message: message, quota: reply.quota), at: now)
            return
        }
        flights[id] = nil
        counters.ended(flight.call, .ok)
        quotas[flight.call.endpoint]?.returned(
            reply.quota, succeeded: true, sentAt: flight.sentAt, at: now.boot)
        succeeded(flight, at: now)
        let located = zip(addresses, flight.slots).map { LocatedAddress($0, slot: $1) }
        for address in located {
            guard let index = slots.index(of: address) else { continue }
            if case .asked(let other) = slots.activity(of: index), other != id { continue }
            leaveQueues(index)
            become(.committing, index, at: now)
        }
        commitQueue.add(.reply(located, reply))
        if case .lost = connectivity.state { checkRoute() }
    }

    /// Ends the failure of an endpoint, and the outage if both endpoints were failing.
    private mutating func succeeded(_ flight: Flight, at now: Instant) {
        let (endpoint, wasFailing) = (flight.call.endpoint, provider.isFailing)
        let recovery = provider.succeeded(endpoint, sentAt: flight.sentAt, at: now)
        // Calls to both endpoints read the same local databases.
        if !connectivity.isNeeded { _ = provider.succeeded(endpoint.other, sentAt: flight.sentAt, at: now) }
        if wasFailing, !provider.isFailing { outages.end(at: now.wall) }
        switch recovery {
        case .none: break
        case .endpoint: publishHealth(.providerRecovered, "\(endpoint.calls) succeed again", at: now)
        case .provider: publishHealth(.providerRecovered, "the provider is answering again", at: now)
        }
    }

    /// Handles the failure of a call, whose cause may be the route, the provider or an address.
    mutating func failed(_ id: Call.ID, _ failure: CallFailure, at now: Instant) {
        guard let flight = flights.removeValue(forKey: id) else { return }
        counters.ended(flight.call, .failed(failure.kind))
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
        case .unreachable where connectivity.isNeeded, .timeout where connectivity.isNeeded:
            // The route may have been lost since the last check. In that case, the provider is not at fault.
            uncheckedFailures.append((flight, failure))
            if !connectivity.isUndecided { checkRoute() }
        case .unreachable, .timeout, .offline, .throttled, .unauthorized, .rejected, .malformed, .quotaExhausted,
            .storeFailed:
            attribute(flight, failure, endIsKnown: endIsKnown, at: now)
        }
    }

    /// Handles a failure that the route did not cause: the provider or an address is at fault.
    mutating func attribute(_ flight: Flight, _ failure: CallFailure, endIsKnown: Bool = false, at now: Instant) {
        let (endpoint, addresses) = (flight.call.endpoint, flight.call.addresses)
        if failure.mayBeCausedByAddress {
            if isCausedByAddress(flight.call) {
                for index in addresses.compactMap({ slots.index(of: $0) }) { become(.committing, index, at: now) }
                commitQueue.add(.addressFailed(addresses[0], failure))
                return
            }
            if provider[endpoint].state == .ok { countFailure(of: addresses) }
        }
        let isNew = provider.failed(
            failure, of: endpoint, sentAt: flight.sentAt, mayRetryAtOnce: endIsKnown, at: now, random: &random)
        if provider.isFailing { noteProviderFailure(failure.message, isNew: isNew, of: addresses.count, at: now) }
        if isNew {
            let isOfBoth = provider.isFailing || !connectivity.isNeeded
            let message = isOfBoth ? failure.message : "\(endpoint.calls) fail: \(failure.message)"
            publishHealth(failure.kind == .throttled ? .throttled : .providerFailed, message, at: now)
        } else {
            commitQueue.add(.saveHealth)
        }
        if failure.kind == .unreachable { resolve(at: now) }
        putBack(flight.call, at: now)
        // While the other endpoint works, it is called next.
        guard provider.isFailing else { return }
        for address in addresses {
            for index in endWaits(for: address) { answerCaller(index, at: now) }
            dropIfUseless(located(address))
        }
    }

    /// Whether the address of a failed call is at fault: it was alone in the call, enough earlier calls with it failed,
    /// and calls for other addresses have succeeded in the meantime.
    private func isCausedByAddress(_ call: Call) -> Bool {
        guard provider[call.endpoint].state == .ok, provider.hasSucceededSinceFailure, call.addresses.count == 1,
            let index = slots.index(of: call.addresses[0])
        else { return false }
        return DueQueues.maxBatchSize(afterFailures: slots.peek(index).consecutiveFailures) == 1
    }

    /// Counts a failed call for its addresses. An address that fails alone is called alone from now on.
    private mutating func countFailure(of addresses: [IPAddress]) {
        for index in addresses.compactMap({ slots.index(of: $0) }) {
            slots.addFailures(addresses.count == 1 ? DueQueues.maxFailures : 1, to: index)
        }
    }

    /// Whether the entry is in this call.
    func isAsked(_ index: Int, by call: Call) -> Bool { slots.activity(of: index) == .asked(call.id) }

    /// Makes the addresses of a failed call due again, behind all others: if one of them caused the failure, the next
    /// calls will show which one. Entries that are no longer needed are removed; lookups that no client waits for are
    /// kept as long as the daemon can make their calls, for example to the other endpoint.
    mutating func putBack(_ call: Call, at now: Instant) {
        for address in call.addresses {
            guard let index = slots.index(of: address), isAsked(index, by: call) else { continue }
            if isUseless(index), !keepsLookup(index) {
                drop(index)
            } else {
                becomeDue(index, since: now.boot, at: now)
            }
        }
    }

    /// Queues an event about the route or the provider for the next commit.
    mutating func publishHealth(_ kind: PublishedEvent.Kind, _ message: String, at now: Instant) {
        commitQueue.add(.publish(kind, at: now.wall, message: message, announced: false))
        if commitQueue.isFailing { announceQueuedEvents() }
    }
}

extension Call.Endpoint {
    /// The calls to the endpoint, as the subject of a message.
    fileprivate var calls: String {
        switch self {
        case .single: "single calls"
        case .batch: "batch calls"
        }
    }
}

extension Reply {
    /// The reason why none of the answers is usable.
    fileprivate func problem(of addresses: [IPAddress]) -> String {
        guard addresses.count == 1 else {
            return "the reply contains none of the \(addresses.count) requested addresses"
        }
        guard case .malformed(let reason)? = answers[addresses[0]] else {
            return "the reply does not contain the requested address"
        }
        return reason
    }
}

extension ElementAnswer {
    fileprivate var isUsable: Bool {
        switch self {
        case .answered: true
        case .malformed: false
        }
    }
}

extension CallFailure {
    /// Whether a single address can make the provider fail for all addresses of the call. If the provider requests a
    /// wait, the provider itself is at fault.
    fileprivate var mayBeCausedByAddress: Bool {
        switch kind {
        case .timeout, .rejected, .malformed: retryAfter == nil
        case .offline, .unreachable, .throttled, .unauthorized, .quotaExhausted, .storeFailed: false
        }
    }
}
