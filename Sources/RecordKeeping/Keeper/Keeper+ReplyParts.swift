/// The parts of a reply, and its cohort.
extension Keeper {
    /// The part of a reply that concerns one address.
    struct ReplyPart {
        enum Outcome {
            /// The answer repeats the stored one, so only its time changes.
            case repeated
            /// The answer replaces the entry's stored one, if there is any.
            case new(Answer, Entry)
            /// There is no usable answer, for this reason.
            case failed(String, Entry)
            /// The answer repeats one that was removed in the meantime, so another call is needed.
            case outdated
        }

        let address: IPAddress
        /// The entry before the reply.
        let reference: Reference
        let outcome: Outcome

        var isRepeated: Bool {
            if case .repeated = outcome { true } else { false }
        }

        /// Whether the reply has an answer, which belongs to its cohort.
        var isAnswered: Bool {
            switch outcome {
            case .repeated, .new: true
            case .failed, .outdated: false
            }
        }

        /// Whether the address needs another call at once.
        var isCalledAgain: Bool {
            if case .outdated = outcome { true } else { false }
        }
    }

    /// Returns the part of a reply about an address; nil if its entry was removed in the meantime.
    func part(of reply: Reply, about address: IPAddress, in pending: PendingCommit) -> ReplyPart? {
        guard let reference = reference(to: address, in: pending) else { return nil }
        func part(_ outcome: ReplyPart.Outcome) -> ReplyPart {
            ReplyPart(address: address, reference: reference, outcome: outcome)
        }
        let answer = reply.answers[address]
        let isRepeatable = reference.id != nil && isRepeatable(address, in: pending)
        if case .repeated = answer { return part(isRepeatable ? .repeated : .outdated) }
        guard let entry = entry(address, in: pending) else { return nil }
        switch answer {
        case .answered(let answer):
            let isRepeated = isRepeatable && entry.scan?.answer.isExactly(answer) == true
            return part(isRepeated ? .repeated : .new(answer, entry))
        case .malformed(let reason): return part(.failed(reason, entry))
        case .repeated, nil: return part(.failed("the reply does not contain this address", entry))
        }
    }

    /// Whether, after the pending commit, a reply that repeats the entry's answer changes nothing except its time.
    private func isRepeatable(_ address: IPAddress, in pending: PendingCommit) -> Bool {
        if let prepared = pending.entries[address] {
            return prepared.map { $0.cohort != 0 && $0.entry.failure == nil && $0.entry.omissions.isEmpty } ?? false
        }
        return slots.index(of: address).map { slots.isRepeatable($0) } ?? false
    }

    // MARK: The cohort

    /// Adds the cohort of a reply to the pending commit, and moves repeated records to it.
    ///
    /// If all records of an earlier cohort are in the reply, the new cohort takes over its row in the store, so that
    /// its repeated records need not be written. Its records without an answer are moved to a new row with their time.
    ///
    /// - Returns: the index of the cohort.
    mutating func addCohort(of reply: Reply, _ parts: [ReplyPart], into pending: inout PendingCommit) -> UInt32 {
        let replaced = replaceableCohort(parts, in: pending)
        if let replaced { replace(replaced, without: parts, in: &pending) }
        let provider = settings.providerName
        let cohort = slots.addCohort(replaced.map { slots.cohorts[$0].id }, at: reply.sentAt, provider: provider)
        let row = slots.cohorts[cohort]
        pending.add(cohort, row, provider: provider)
        let moved = parts.filter { $0.isRepeated && $0.reference.cohort != replaced }.compactMap(\.reference.id)
        if !moved.isEmpty { pending.write(.move(moved, to: row.id)) }
        return cohort
    }

    /// Returns the cohort of which the reply repeats the most records, among the cohorts of this run whose records are
    /// all in the reply; nil if there is none.
    private func replaceableCohort(_ parts: [ReplyPart], in pending: PendingCommit) -> UInt32? {
        var counts: [UInt32: (all: Int32, repeated: Int)] = [:]
        for part in parts where part.reference.cohort != 0 {
            counts[part.reference.cohort, default: (0, 0)].all += 1
            if part.isRepeated { counts[part.reference.cohort]?.repeated += 1 }
        }
        let whole = counts.filter { index, count in
            let cohort = slots.cohorts[index]
            // An earlier reply in the commit may have moved records to or from the other cohorts.
            let isUnchanged = !pending.addedCohorts.contains(index) && !pending.replacedCohorts.contains(index)
            return isUnchanged && count.repeated > 0 && cohort.isOfThisRun && cohort.holders == count.all
        }
        return whole.max { ($0.value.repeated, $1.key) < ($1.value.repeated, $0.key) }?.key
    }

    /// Replaces a cohort by the one of a reply: only its records without an answer stay.
    private mutating func replace(_ cohort: UInt32, without parts: [ReplyPart], in pending: inout PendingCommit) {
        slots.cohorts.hold(cohort)
        let remaining = parts.filter { $0.reference.cohort == cohort && !$0.isAnswered }.compactMap(\.reference.id)
        guard !remaining.isEmpty else { return pending.replace(cohort, with: nil) }
        let id = slots.cohorts.nextID()
        pending.replace(cohort, with: id)
        pending.write(.cohort(id, at: slots.cohorts[cohort].at, provider: slots.provider(ofCohort: cohort)))
        pending.write(.move(remaining, to: id))
    }
}
