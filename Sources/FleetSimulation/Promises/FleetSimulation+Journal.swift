import Fleet
import RecordKeeping
import Simulation

/// The promises about the journal and changes.
extension FleetSimulation {
    /// A row is about to be committed.
    func checkAppend(_ row: JournalRow) throws(Violation) {
        let state = database.state
        guard row.seq == state.last.seq + 1 else {
            throw broken("the journal has no gaps", "row \(row.seq) follows row \(state.last.seq)")
        }
        guard row.previous == state.last.id else {
            throw broken("each row names the row before it", "row \(row.seq)")
        }
        guard row.term == state.fleet.term, row.incarnation == state.fleet.incarnation else {
            throw broken(
                "only the leader of the current term commits", "row \(row.seq) of term \(row.term), \(state.fleet)")
        }
        for change in bodies.commit(row.body).changes {
            let request = promises.requests[change.token]
            if let earlier = request.rows.first(where: { !promises.lost.contains($0) }) {
                throw broken(
                    "a change is made at most once",
                    "change \(change.token) in rows \(promises.rows[earlier]?.seq ?? 0) and \(row.seq)")
            }
            if request.conclusion == .unreachable {
                throw broken("a change that was refused is not made", "change \(change.token) in row \(row.seq)")
            }
        }
    }

    /// A member passes rows to its store.
    mutating func checkOrder(of new: [JournalRow], in index: Int) throws(Violation) {
        for row in new {
            guard let passed = nodes[index].process?.passed, row.seq == passed.seq + 1, row.previous == passed.id,
                promises.rows[row.id] == row
            else {
                throw broken("a node applies each row once and in order", "node \(index), row \(row.seq)")
            }
            nodes[index].process?.passed = row.cursor
        }
    }

    /// A member passes a snapshot to its store.
    mutating func checkGap(to snapshot: FleetSnapshot, missing: ClosedRange<Int64>?, in index: Int) throws(Violation) {
        guard let passed = nodes[index].process?.passed else { return }
        nodes[index].process?.passed = snapshot.cursor
        guard passed != .start, snapshot.cursor.seq > passed.seq else { return }
        guard let missing, missing.upperBound == snapshot.cursor.seq, missing.lowerBound <= passed.seq + 1 else {
            throw broken(
                "a gap is published",
                "node \(index) from \(passed.seq) to \(snapshot.cursor.seq): \(String(describing: missing))")
        }
    }

    mutating func promisesLost(_ ids: [UniqueID], isPromotion: Bool) throws(Violation) {
        promises.lose(Set(ids))
        guard let first = ids.compactMap({ promises.rows[$0]?.seq }).min() else { return }
        note("lost: \(ids.count) rows from \(first)")
        if database.isSynchronous, isPromotion {
            let acknowledged = promises.requests.contains { request in
                request.rows.contains { promises.lost.contains($0) } && request.conclusion.isDone
            }
            if acknowledged {
                throw broken("no acknowledged change is lost with a synchronous standby", "from row \(first)")
            }
        }
        for index in nodes.indices where !nodes[index].isClone {
            let last = nodes[index].disk.cursor
            guard last.seq >= first, promises.lost.contains(last.id) else { continue }
            let earlier = promises.unnamed[index]
            promises.unnamed[index] = min(first, earlier?.lowerBound ?? first)...last.seq
        }
    }

    /// The incarnation has been raised.
    mutating func checkIncarnation(from old: Int64) throws(Violation) {
        // In a restored database, the number may be one that a node has seen in another history.
        guard database.hasOtherHistory || database.wasRestored else {
            throw broken("the incarnation is raised once per failover", "from \(old)")
        }
        database.hasOtherHistory = false
    }

    mutating func alerted(_ alert: FleetAlert, in index: Int) {
        note("node \(index): \(alert)")
        switch alert {
        case .commitsLost(let range):
            coverage.count("alert: commits lost")
            guard let unnamed = promises.unnamed[index] else { return }
            if range.lowerBound <= unnamed.lowerBound, range.upperBound >= unnamed.upperBound {
                promises.unnamed[index] = nil
            }
        case .fleetLost: coverage.count("alert: fleet lost")
        case .fleetRestored: coverage.count("alert: fleet restored")
        case .identityInUse: coverage.count("alert: identity in use")
        case .unknownEncoding: coverage.count("alert: unknown encoding")
        }
    }

    mutating func conclude(_ token: Int, _ conclusion: RequestConclusion, in index: Int) throws(Violation) {
        let request = promises.requests[token]
        guard request.conclusion == nil else { throw broken("a request has one reply", "change \(token)") }
        promises.concluded(token, conclusion)
        let patience = request.patience + FleetLimits.outcomeWait
        let isLate = now - request.at > patience * 1.3 + .seconds(1)
        if isLate, nodes[index].frozenUntil < request.at {
            throw broken("a request is answered in time", "change \(token): \(conclusion) after \(now - request.at)")
        }
        switch conclusion {
        case .done:
            coverage.count("concluded: done")
            guard let row = request.rows.last,
                nodes[index].disk.cursor.seq >= promises.rows[row]?.seq ?? .max || promises.lost.contains(row)
            else {
                throw broken("a change is acknowledged once it is committed and applied", "change \(token)")
            }
        case .unreachable:
            coverage.count("concluded: unreachable")
            if request.rows.contains(where: { !promises.lost.contains($0) }) {
                throw broken("a change that was refused is not made", "change \(token)")
            }
        case .unknown: coverage.count("concluded: unknown")
        case .tooMany: coverage.count("concluded: too many")
        }
    }
}

extension RequestConclusion? {
    fileprivate var isDone: Bool {
        if case .done? = self { true } else { false }
    }
}
