/// Changes to entries from replies and failures.
extension Keeper {
    /// Adds the changes from a reply to the pending commit.
    mutating func apply(_ reply: Reply, for addresses: [IPAddress], into pending: inout PendingCommit, at now: Instant)
    {
        for address in addresses {
            pending.resolve(address)
            guard let entry = entry(address, in: pending) else { continue }
            switch reply.answers[address] {
            case .answered(let answer):
                let scan = Scan(answer: answer, at: reply.sentAt, provider: settings.providerName)
                apply(scan, of: address, replacing: entry, into: &pending, at: now)
            case .malformed(let reason):
                fail(address, entry, with: CallFailure(kind: .malformed, message: reason), into: &pending, at: now)
            case nil:
                let failure = CallFailure(kind: .malformed, message: "the reply does not contain this address")
                fail(address, entry, with: failure, into: &pending, at: now)
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

    private func apply(
        _ scan: Scan, of address: IPAddress, replacing old: Entry, into pending: inout PendingCommit, at now: Instant
    ) {
        var entry = old
        entry.scan = scan
        entry.failure = nil
        let comparison = AnswerComparison(of: old, with: scan.answer)
        let fields = comparison.changes
        entry.omissions = comparison.omissions
        if !fields.isEmpty { entry.changedAt = now.wall }
        pending.put(address, entry, scanReplaced: true)
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
        pending.put(address, entry, scanReplaced: false)
        if attempts == 1 {
            pending.keep(.failed, at: now.wall, address: address, message: call.message)
        }
    }
}
