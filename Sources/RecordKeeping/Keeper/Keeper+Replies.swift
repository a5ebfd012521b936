/// Changes to entries from replies and failures.
extension Keeper {
    /// Adds the changes from a reply to the pending commit.
    mutating func apply(_ reply: Reply, for addresses: [IPAddress], into pending: inout PendingCommit, at now: Instant)
    {
        let parts = addresses.compactMap { part(of: reply, about: $0, in: pending) }
        let cohort = parts.contains(where: \.isAnswered) ? addCohort(of: reply, parts, into: &pending) : 0
        let again = Set(parts.filter { $0.isCalledAgain }.map(\.address))
        for address in addresses where !again.contains(address) { pending.resolve(address) }
        for part in parts {
            switch part.outcome {
            case .repeated:
                pending.move(part.address, to: cohort)
                if let digest = reply.digests[part.address] { pending.note(digest, of: part.address) }
                pending.publish(.refreshed, at: now.wall, address: part.address)
            case .new(let answer, let old):
                let scan = Scan(answer: answer, at: reply.sentAt, provider: settings.providerName)
                replace(part.address, old, by: scan, of: cohort, into: &pending, at: now)
                pending.note(reply.digests[part.address], of: part.address)
            case .failed(let reason, let old):
                let failure = CallFailure(kind: .malformed, message: reason)
                fail(part.address, old, with: failure, into: &pending, at: now)
            case .outdated: pending.callAgain(part.address)
            }
        }
    }

    /// Adds the failure of one address to the pending commit.
    mutating func apply(
        _ failure: CallFailure, of address: IPAddress, into pending: inout PendingCommit, at now: Instant
    ) {
        pending.resolve(address)
        guard let entry = entry(address, in: pending) else { return }
        fail(address, entry, with: failure, into: &pending, at: now)
    }

    /// - Parameter cohort: the index of the cohort to which the new answer belongs.
    private func replace(
        _ address: IPAddress, _ old: Entry, by scan: Scan, of cohort: UInt32, into pending: inout PendingCommit,
        at now: Instant
    ) {
        var entry = old
        entry.scan = scan
        entry.failure = nil
        let comparison = AnswerComparison(of: old, with: scan.answer)
        let fields = comparison.changes
        entry.omissions = comparison.omissions
        if !fields.isEmpty { entry.changedAt = now.wall }
        let id = reference(to: address, in: pending)?.id ?? newID(of: address, in: &pending)
        pending.put(address, .init(id: id, entry: entry, cohort: cohort), cohort: slots.cohorts[cohort].id)
        if old.failure != nil {
            pending.keep(.recovered, at: now.wall, address: address)
        }
        if !fields.isEmpty {
            pending.keep(.changed, at: now.wall, address: address, fields: fields)
        }
        pending.publish(.refreshed, at: now.wall, address: address)
    }

    private mutating func fail(
        _ address: IPAddress, _ old: Entry, with call: CallFailure, into pending: inout PendingCommit, at now: Instant
    ) {
        let attempts = (old.failure?.attempts ?? 0) + 1
        let failure = Failure(kind: call.kind, message: call.message, at: now, attempts: attempts)
        guard old.watch != nil || old.scan != nil else {
            // A failed lookup is returned to waiting requests, but not stored.
            if let index = slots.index(of: address) {
                change(index, at: now) { $0.entry.failure = failure }
            }
            return
        }
        var entry = old
        entry.failure = failure
        put(address, entry, into: &pending)
        if attempts == 1 {
            pending.keep(.failed, at: now.wall, address: address, message: call.message)
        }
    }
}
