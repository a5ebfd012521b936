/// Changes to entries from replies and failures.
extension Keeper {
    /// Adds the changes from a reply to the pending commit.
    mutating func apply(
        _ reply: Reply, for addresses: [LocatedAddress], into pending: inout PendingCommit, at now: Instant
    ) {
        let parts = addresses.indices.compactMap { part(of: reply, at: $0, about: addresses[$0], in: pending) }
        let cohort = parts.contains(where: \.isAnswered) ? addCohort(of: reply, parts, into: &pending) : 0
        let again = Set(parts.lazy.filter { $0.outcome == .outdated }.map(\.address))
        pending.reserveCapacity(replies: addresses.count)
        for address in addresses where !again.contains(address.address) { pending.resolve(address) }
        for part in parts {
            switch part.outcome {
            case .repeated:
                pending.move(part.address, in: slots.index(of: part.located), to: cohort)
                if let digest = reply.digests[part.address] { pending.note(digest, of: part.address) }
                pending.publish(.refreshed, at: now.wall, address: part.address)
            case .new:
                guard case .answered(let answer) = reply.answers[part.address] else { continue }
                let scan = Scan(
                    answer: answer, at: reply.sentAt, provider: provider(of: reply), version: reply.version?.id)
                replace(part.located, by: scan, of: cohort, into: &pending, at: now)
                pending.note(reply.digests[part.address], of: part.address)
            case .failed:
                let failure = CallFailure(kind: .malformed, message: reply.problem(of: part.address))
                fail(part.located, with: failure, into: &pending, at: now)
            case .outdated: pending.callAgain(part.address)
            }
        }
    }

    /// Adds the failure of one address to the pending commit.
    mutating func apply(
        _ failure: CallFailure, of address: IPAddress, into pending: inout PendingCommit, at now: Instant
    ) {
        let located = located(address)
        pending.resolve(located)
        fail(located, with: failure, into: &pending, at: now)
    }

    /// - Parameter cohort: the index of the cohort to which the new answer belongs.
    private func replace(
        _ located: LocatedAddress, by scan: Scan, of cohort: UInt32, into pending: inout PendingCommit, at now: Instant
    ) {
        guard let old = entry(located, in: pending) else { return }
        let address = located.address
        var entry = old
        entry.scan = scan
        entry.failure = nil
        let comparison = AnswerComparison(of: old, with: scan)
        let fields = comparison.changes
        entry.omissions = comparison.omissions
        if !fields.isEmpty { entry.changedAt = now.wall }
        let id = reference(to: located, in: pending)?.id ?? newID(of: address, in: &pending)
        pending.put(located, .init(id: id, entry: entry, cohort: cohort), cohort: slots.cohorts[cohort].id)
        if old.failure != nil {
            pending.keep(.recovered, at: now.wall, address: address)
        }
        if !fields.isEmpty {
            pending.keep(.changed, at: now.wall, address: address, fields: fields)
        }
        pending.publish(.refreshed, at: now.wall, address: address)
    }

    private mutating func fail(
        _ located: LocatedAddress, with call: CallFailure, into pending: inout PendingCommit, at now: Instant
    ) {
        guard let old = entry(located, in: pending) else { return }
        let attempts = (old.failure?.attempts ?? 0) + 1
        let failure = Failure(kind: call.kind, message: call.message, at: now, attempts: attempts)
        guard old.watch != nil || old.scan != nil else {
            // A failed lookup is returned to waiting requests, but not stored.
            if let index = slots.index(of: located) {
                change(index, at: now) { $0.entry.failure = failure }
            }
            return
        }
        var entry = old
        entry.failure = failure
        put(located, entry, into: &pending)
        if attempts == 1 {
            pending.keep(.failed, at: now.wall, address: located.address, message: call.message)
        }
    }
}

extension Reply {
    /// Returns the reason why the reply has no usable answer about an address of its call.
    fileprivate func problem(of address: IPAddress) -> String {
        if case .malformed(let reason) = answers[address] { reason } else { "the reply does not contain this address" }
    }
}
