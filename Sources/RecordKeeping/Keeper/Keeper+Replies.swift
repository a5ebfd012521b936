/// Changes of entries by replies and failures.
extension Keeper {
    /// Adds the changes by a reply to the pending commit.
    mutating func carry(_ reply: Reply, for addresses: [IPAddress], into draft: inout Draft, at now: Instant) {
        for address in addresses {
            draft.settle(address)
            guard let entry = entry(address, in: draft) else { continue }
            switch reply.answers[address] {
            case .answered(let answer):
                let scan = Scan(answer: answer, at: reply.sentAt, provider: settings.providerName)
                carry(scan, of: address, replacing: entry, into: &draft, at: now)
            case .malformed(let reason):
                fail(address, entry, with: CallFailure(kind: .malformed, message: reason), into: &draft, at: now)
            case nil:
                let failure = CallFailure(kind: .malformed, message: "the reply does not name this address")
                fail(address, entry, with: failure, into: &draft, at: now)
            }
        }
    }

    /// Adds the failure of one address to the pending commit.
    mutating func carry(_ failure: CallFailure, of address: IPAddress, into draft: inout Draft, at now: Instant) {
        draft.settle(address)
        guard let entry = entry(address, in: draft) else { return }
        fail(address, entry, with: failure, into: &draft, at: now)
    }

    private func carry(
        _ scan: Scan, of address: IPAddress, replacing old: Entry, into draft: inout Draft, at now: Instant
    ) {
        var entry = old
        entry.scan = scan
        entry.failure = nil
        let fields = old.scan.map { Self.changes(from: $0.answer, to: scan.answer) } ?? []
        if !fields.isEmpty { entry.changedAt = now.wall }
        draft.put(address, entry, scanReplaced: true)
        if old.failure != nil {
            draft.keep(.recovered, at: now.wall, address: address)
        }
        if !fields.isEmpty {
            draft.keep(.changed, at: now.wall, address: address, fields: fields)
        }
        draft.tell(.refreshed, at: now.wall, address: address)
    }

    /// Returns the changed fields. If only one answer has a record, each of its fields counts as changed.
    private static func changes(from old: Answer, to new: Answer) -> [FieldChange] {
        (old.record ?? Record()).changes(to: new.record ?? Record())
    }

    private mutating func fail(
        _ address: IPAddress, _ old: Entry, with call: CallFailure, into draft: inout Draft, at now: Instant
    ) {
        let attempts = (old.failure?.attempts ?? 0) + 1
        let failure = Failure(kind: call.kind, message: call.message, at: now, attempts: attempts)
        guard old.watch != nil || old.scan != nil else {
            // A failed lookup is returned to waiting requests, but not stored.
            if let number = slots.number(of: address) {
                change(number, at: now) { $0.entry.failure = failure }
            }
            return
        }
        var entry = old
        entry.failure = failure
        draft.put(address, entry, scanReplaced: false)
        if attempts == 1 {
            draft.keep(.failed, at: now.wall, address: address, message: call.message)
        }
    }
}
