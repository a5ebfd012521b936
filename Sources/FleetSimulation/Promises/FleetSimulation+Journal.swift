import Fleet
import RecordKeeping
import Simulation

/// The promises about the journal and changes.
extension FleetSimulation {
    /// Checks a row before its commit.
    func checkAppend(_ row: JournalRow) throws(Violation) {
        let state = database.state
        guard row.seq == state.last.seq + 1 else {
            throw broken("the journal has no gaps", "row \(row.seq) follows row \(state.last.seq)")
        }
        guard row.previous == state.last.id else {
            throw broken("each row names the row before it", "row \(row.seq)")
        }
        guard row.term == state.fleet.term, row.incarnation == state.fleet.incarnation.number else {
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

    /// Checks that a leader knows which of its commits are in the journal.
    func checkFailure(_ failure: FleetFailure, of id: FleetQuery.ID, in index: Int) throws(Violation) {
        guard failure == .numberTaken || failure == .predecessorDiffers,
            nodes[index].process?.cancelled.contains(id) == false
        else { return }
        throw broken("a leader knows its own commits", "node \(index): \(failure)")
    }

    /// Checks rows that a member passes to its store.
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

    /// Checks a snapshot that a member passes to its store.
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
        let lost = Set(ids)
        let kept = Set(database.state.ids)
        promises.lose(lost, keeping: kept)
        nameLostRows(keeping: kept)
        guard let first = ids.compactMap({ promises.rows[$0]?.seq }).min() else { return }
        note("lost: \(ids.count) rows from \(first)")
        if database.isSynchronous, isPromotion {
            if promises.requests.contains(where: { $0.acknowledged.map { lost.contains($0) } ?? false }) {
                throw broken("no acknowledged change is lost with a synchronous standby", "from row \(first)")
            }
        }
    }

    /// Determines the numbers of the rows that nodes have applied and that the database does not have.
    private mutating func nameLostRows(keeping kept: Set<UniqueID>) {
        for index in nodes.indices where !nodes[index].isClone {
            var numbers: Set<Int64> = []
            var id = nodes[index].disk.cursor.id
            while !kept.contains(id), let row = promises.rows[id] {
                numbers.insert(row.seq)
                id = row.previous
            }
            // An alert has named them, but the snapshot that replaces them is not stored yet.
            if let named = nodes[index].process?.named { numbers.subtract(named) }
            promises.unnamed[index] = numbers
        }
    }

    /// Checks a new incarnation.
    mutating func checkIncarnation(_ new: Incarnation, after old: Incarnation) throws(Violation) {
        guard promises.incarnations.insert(new).inserted, new.number > old.number else {
            throw broken("an incarnation begins once", "\(new) after \(old)")
        }
        if database.hasOtherHistory {
            database.hasOtherHistory = false
        } else if promises.outdatedIncarnations > 0 {
            promises.outdatedIncarnations -= 1
        } else {
            throw broken("the incarnation is raised once per failover", "from \(old)")
        }
    }

    mutating func alerted(_ alert: FleetAlert, in index: Int) throws(Violation) {
        note("node \(index): \(alert)")
        switch alert {
        case .commitsLost(let range):
            coverage.count("alert: commits lost")
            if let kept = promises.firstKept(in: range, of: nodes[index].disk.cursor) {
                throw broken("an alert names only lost commits", "node \(index): row \(kept) of \(range)")
            }
            promises.unnamed[index]?.subtract(range)
            nodes[index].process?.named = range
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
        let timeLimit = request.timeLimit + FleetLimits.outcomeWait
        let isLate = now - request.at > timeLimit * 1.3 + .seconds(1)
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
