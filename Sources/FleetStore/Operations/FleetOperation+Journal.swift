package import Fleet
import PostgreSQL
package import RecordKeeping

/// The journal and proposals.
extension FleetOperation where Reply == Void {
    /// Inserts a row of the journal under the fence, stores the outcomes of proposals, deletes these proposals, and
    /// applies the changes of the commit to the tables of the current state.
    ///
    /// Fails with `operationKnown`, `numberTaken`, `predecessorDiffers` or `outcomesKnown` without an effect.
    package static func append(
        _ row: JournalRow, _ writes: [Commit.Write] = [], behind fence: Fence, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        var script = FleetScript(.readCommitted)
        script.limitLockWait(to: FleetLimits.lockWait)
        try script.call(
            "append",
            fence.arguments(fleet) + [
                .integer(row.seq), .id(row.id), .id(row.previous), .integer(row.clock.nanoseconds),
                .integer(Int64(row.encoding)), .bytes(row.body), .ids(row.outcomes.map(\.id)),
                .byteArrays(row.outcomes.map(\.reply)),
            ])
        for statement in try StateChanges(writes, of: row, in: fleet).statements { script.append(statement) }
        return Self(script) { (_) throws(FleetStoreError) in }
    }

    /// Sends a notification to all sessions that listen on the fleet's channel. In a transaction of its own, because
    /// the server handles transactions with notifications one at a time.
    package static func notify(in fleet: FleetKey) -> Self {
        var script = FleetScript(.readCommitted)
        script.append("NOTIFY \(fleet.channel)")
        return Self(script, isWriting: false) { (_) throws(FleetStoreError) in }
    }

    /// Listens on the fleet's channel until the session ends. The only operation that depends on a session, so it does
    /// not work behind a pooler in transaction mode.
    package static func listen(in fleet: FleetKey) -> Self {
        var script = FleetScript(.readCommitted)
        script.append("LISTEN \(fleet.channel)")
        return Self(script, isWriting: false) { (_) throws(FleetStoreError) in }
    }
}

extension FleetKey {
    /// The channel of notifications. It contains only letters, digits and an underscore.
    package var channel: String { "iprecord_\(number)" }
}

extension FleetOperation where Reply == Bool {
    /// Inserts the proposals whose ids are unknown and have no outcome, if the incarnation and the server are still
    /// those of the row. The reply is whether the condition held.
    package static func propose(
        _ proposals: [Proposal], incarnation: Incarnation, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        var script = FleetScript(.readCommitted)
        script.limitLockWait(to: FleetLimits.lockWait)
        try script.call(
            "propose",
            [
                .integer(fleet.number), .integer(incarnation.number), .id(incarnation.id), .ids(proposals.map(\.id)),
                .texts(proposals.map(\.node.text)), .integers(proposals.map { Int64($0.user) }),
                .byteArrays(proposals.map(\.body)),
            ])
        return Self(script) { (results) throws(FleetStoreError) in try results.bool(0) }
    }
}

extension FleetOperation where Reply == [UniqueID] {
    /// For each id without an outcome, stores the outcome "withdrawn" and deletes the proposal. The reply has the ids
    /// that are withdrawn now; the others have an outcome in the journal.
    package static func withdraw(_ ids: [UniqueID], in fleet: FleetKey) throws(FleetStoreError) -> Self {
        var script = FleetScript(.readCommitted)
        script.limitLockWait(to: FleetLimits.lockWait)
        try script.call("withdraw", [.integer(fleet.number), .ids(ids)])
        return Self(script) { (results) throws(FleetStoreError) in
            var withdrawn: [UniqueID] = []
            for row in try results.rows(0) { withdrawn.append(try row.id("withdraw")) }
            return withdrawn
        }
    }
}

extension FleetOperation where Reply == Int {
    /// Deletes old rows under the fence. The reply is the number of deleted rows: 0 once there is nothing to delete.
    package static func sweep(
        _ sweep: Sweep, behind fence: Fence, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        var script = FleetScript(.readCommitted)
        script.limitLockWait(to: FleetLimits.lockWait)
        try script.call(
            "sweep",
            fence.arguments(fleet) + [
                .integer(sweep.journal.seq), .id(sweep.journal.id), .integer(sweep.outcomes), .integer(sweep.history),
                .integer(Int64(sweep.limit)),
            ])
        return Self(script) { (results) throws(FleetStoreError) in Int(try results.row(0).integer("sweep")) }
    }
}
