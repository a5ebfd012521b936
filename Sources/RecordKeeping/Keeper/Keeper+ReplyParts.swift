/// The parts of a reply, and its cohort.
extension Keeper {
    /// The part of a reply that concerns one address.
    struct ReplyPart {
        enum Outcome {
            /// The answer repeats the stored answer, so only the time of the answer changes.
            case repeated
            /// The answer replaces the stored answer, if there is one.
            case new
            /// There is no usable answer.
            case failed
            /// The reply repeats an answer that was removed in the meantime, so another call is needed.
            case outdated
        }

        let located: LocatedAddress
        /// The entry before the reply.
        let reference: Reference
        let outcome: Outcome

        var address: IPAddress { located.address }
        /// Whether the part has an answer, which belongs to the cohort of the reply.
        var isAnswered: Bool { outcome == .repeated || outcome == .new }
    }

    /// Returns the part of a reply about an address; nil if its entry was removed in the meantime.
    ///
    /// - Parameter index: the index of the address in the call.
    func part(of reply: Reply, at index: Int, about address: LocatedAddress, in pending: PendingCommit) -> ReplyPart? {
        guard let reference = reference(to: address, in: pending) else { return nil }
        let outcome: ReplyPart.Outcome
        if reply.repeats(index) {
            outcome = reference.isRepeatable ? .repeated : .outdated
        } else if case .answered(let answer) = reply.answers[address.address] {
            let isRepeated =
                reference.isRepeatable && entry(address, in: pending)?.scan?.answer.isExactly(answer) == true
            outcome = isRepeated ? .repeated : .new
        } else {
            outcome = .failed
        }
        return ReplyPart(located: address, reference: reference, outcome: outcome)
    }

    // MARK: The cohort

    /// Returns the provider's name in the records of a reply.
    func provider(of reply: Reply) -> String { reply.version?.name ?? settings.providerName }

    /// Adds the cohort of a reply to the pending commit, and moves repeated records to it.
    ///
    /// If the reply covers all records of an earlier cohort, the new cohort takes over the row of the earlier one in
    /// the store, so that repeated records need not be written. Records without an answer are moved to a new row that
    /// keeps their time.
    ///
    /// - Returns: the index of the cohort.
    mutating func addCohort(of reply: Reply, _ parts: [ReplyPart], into pending: inout PendingCommit) -> UInt32 {
        let replaced = replaceableCohort(parts, in: pending)
        if let replaced { replace(replaced, without: parts, in: &pending) }
        let provider = provider(of: reply)
        let cohort = slots.addCohort(
            replaced.map { slots.cohorts[$0].id }, at: reply.sentAt, provider: provider, version: reply.version?.id)
        let row = slots.cohorts[cohort]
        pending.add(cohort, row, provider: provider)
        let moved = parts.lazy.filter { $0.outcome == .repeated && $0.reference.cohort != replaced }
            .compactMap(\.reference.id)
        if !moved.isEmpty { pending.write(.move(Array(moved), to: row.id)) }
        return cohort
    }

    /// Returns the cohort with the most repeated records, among the cohorts of this run whose records the reply covers
    /// completely; nil if there is none.
    private func replaceableCohort(_ parts: [ReplyPart], in pending: PendingCommit) -> UInt32? {
        var counts: [UInt32: (all: Int32, repeated: Int)] = [:]
        var start = 0
        // The parts of a cohort are mostly adjacent, so each run of adjacent parts is counted at once.
        while start < parts.count {
            let cohort = parts[start].reference.cohort
            let run = parts[start...].prefix { $0.reference.cohort == cohort }
            start = run.endIndex
            guard cohort != 0 else { continue }
            let count = counts[cohort] ?? (0, 0)
            let repeated = run.count { $0.outcome == .repeated }
            counts[cohort] = (count.all + Int32(run.count), count.repeated + repeated)
        }
        let whole = counts.filter { index, count in
            let cohort = slots.cohorts[index]
            // An earlier reply in the commit may have moved records to an added cohort, or from a replaced one.
            let isUnchanged = !pending.addedCohorts.contains(index) && !pending.replacedCohorts.contains(index)
            return isUnchanged && count.repeated > 0 && cohort.isOfThisRun && cohort.holders == count.all
        }
        return whole.max { ($0.value.repeated, $1.key) < ($1.value.repeated, $0.key) }?.key
    }

    /// Replaces a cohort with the cohort of a reply. Only the records without an answer stay in the replaced cohort.
    private mutating func replace(_ cohort: UInt32, without parts: [ReplyPart], in pending: inout PendingCommit) {
        slots.cohorts.hold(cohort)
        let remaining = parts.filter { $0.reference.cohort == cohort && !$0.isAnswered }.compactMap(\.reference.id)
        guard !remaining.isEmpty else { return pending.replace(cohort, with: nil) }
        let id = slots.cohorts.nextID()
        pending.replace(cohort, with: id)
        let row = slots.cohorts[cohort]
        pending.write(.cohort(id, at: row.at, provider: slots.provider(ofCohort: cohort), version: row.version))
        pending.write(.move(remaining, to: id))
    }
}
