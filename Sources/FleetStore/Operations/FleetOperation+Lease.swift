package import Fleet
import RecordKeeping

/// The lease and the rows of the nodes.
extension FleetOperation {
    /// Returns a writing transaction that only calls a function.
    private static func calling(
        _ function: String, _ arguments: [SQLArgument], lockWait: Duration = FleetLimits.lockWait
    ) throws(FleetStoreError) -> FleetScript {
        var script = FleetScript(.readCommitted)
        script.limitLockWait(to: lockWait)
        try script.call(function, arguments)
        return script
    }
}

extension FleetOperation where Reply == NodeRow? {
    /// Reads the row of a node; nil if there is none.
    package static func readNode(_ id: NodeID, in fleet: FleetKey) throws(FleetStoreError) -> Self {
        var script = FleetScript(.snapshot)
        try script.select(
            "* FROM iprecord.node WHERE fleet = $1 AND id = $2", [.integer(fleet.number), .text(id.text)])
        return Self(script, isWriting: false) { (results) throws(FleetStoreError) in
            guard let row = try results.rows(0).first else { return nil }
            return try row.node()
        }
    }
}

extension FleetOperation where Reply == Bool {
    private init(changing script: FleetScript) {
        self.init(script) { (results) throws(FleetStoreError) in try results.bool(0) }
    }

    /// Inserts or replaces the row of a node, if its mark is still this one; nil if there was no row. The reply is
    /// whether the condition held.
    package static func register(
        _ row: NodeRow, replacing mark: NodeMark?, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        Self(
            changing: try calling(
                "register",
                [
                    .integer(fleet.number), .text(row.id.text), .text(row.name), .integer(row.epoch),
                    .text(row.machine), .bool(row.hasRoute), .text(row.version), .integer(Int64(row.encoding)),
                    .integer(row.applied), .integer(mark?.epoch), .integer(mark?.beat),
                ]))
    }

    /// Increments the term and sets the leader, if the row is unchanged. The reply is whether the condition held.
    ///
    /// Waits for at most two seconds for open transactions of the leader, then fails with `lockTimeout`. Fails with
    /// `otherServer` if the row belongs to another server.
    package static func takeOver(_ takeover: Takeover, in fleet: FleetKey) throws(FleetStoreError) -> Self {
        Self(
            changing: try calling(
                "take_over",
                [
                    .integer(fleet.number), .integer(takeover.term), .integer(takeover.beat),
                    .integer(takeover.incarnation.number), .id(takeover.incarnation.id),
                    .text(takeover.newLeader.node.text), .integer(takeover.newLeader.epoch),
                ], lockWait: FleetLimits.takeoverWait))
    }

    /// Increments the term and sets the leader to another node, if the fence holds and the epoch of the successor is
    /// unchanged. The reply is whether the epoch was unchanged.
    ///
    /// - Parameter hasFailed: whether the leader gives up because its calls have failed. Its row then records the term
    ///   as failed.
    package static func handOver(
        _ fence: Fence, to successor: NodeRun, hasFailed: Bool, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        Self(
            changing: try calling(
                "hand_over",
                fence.arguments(fleet) + [
                    .text(successor.node.text), .integer(successor.epoch), .bool(hasFailed),
                ]))
    }

    /// Sets the incarnation and the server of the row, increments the term, removes the leader and deletes all
    /// proposals, if the incarnation and the server are still these. The reply is whether the condition held.
    ///
    /// Waits for open transactions of the leader like a takeover.
    /// Fails with `otherServer` if the transaction runs on another server than the new one.
    package static func raiseIncarnation(
        from old: Incarnation, server: ServerID, newServer: ServerID, to new: Incarnation, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        Self(
            changing: try calling(
                "raise_incarnation",
                [.integer(fleet.number), .integer(old.number), .id(old.id)] + server.arguments
                    + [.integer(new.number), .id(new.id)] + newServer.arguments, lockWait: FleetLimits.takeoverWait))
    }

    /// Marks the row of the node as left, if its epoch is still this one. The reply is whether the condition held.
    package static func leave(_ run: NodeRun, in fleet: FleetKey) throws(FleetStoreError) -> Self {
        Self(
            changing: try calling("leave", [.integer(fleet.number), .text(run.node.text), .integer(run.epoch)]))
    }

    /// Finds out whether a row of the journal was committed. If not, it never will be: a late message fails with
    /// `operationKnown`.
    ///
    /// Waits for open transactions of the leader. The failure `lockTimeout` is not an answer.
    package static func resolve(_ cursor: JournalCursor, in fleet: FleetKey) throws(FleetStoreError) -> Self {
        Self(
            changing: try calling("resolve", [.integer(fleet.number), .integer(cursor.seq), .id(cursor.id)]))
    }
}

extension FleetOperation where Reply == BeatReply {
    /// Updates the node's own row if its epoch is still this one, and then the fleet's row if the fence holds. Reads
    /// the fleet's row and the rows of all nodes in the same transaction.
    package static func beat(
        _ beat: NodeBeat, _ lease: LeaseBeat?, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        var script = try calling(
            "beat",
            [
                .integer(fleet.number), .text(beat.run.node.text), .integer(beat.run.epoch), .bool(beat.hasRoute),
                .integer(beat.applied), .integer(lease?.fence.term), .integer(lease?.fence.incarnation.number),
                .id(lease?.fence.incarnation.id), .integer(lease?.clock.nanoseconds), .integer(lease?.knownBeat),
                .bool(lease?.hasSucceeded ?? false),
            ])
        script.append("SELECT * FROM iprecord.server()")
        try script.select("* FROM iprecord.fleet WHERE id = $1", [.integer(fleet.number)])
        try script.select("* FROM iprecord.node WHERE fleet = $1 ORDER BY id", [.integer(fleet.number)])
        return Self(script) { (results) throws(FleetStoreError) in
            let outcome = try results.row(0)
            var nodes: [NodeRow] = []
            for row in try results.rows(3) { nodes.append(try row.node()) }
            return BeatReply(
                server: try results.row(1).server(), isRegistered: try outcome.bool("is_registered"),
                isLeaseHeld: try outcome.bool("is_lease_held"), fleet: try results.row(2).fleet(), nodes: nodes)
        }
    }
}

extension FleetOperation where Reply == TerminatedBlockers {
    /// Terminates the sessions that have locked the fleet's row while they wait for their client, never one that waits
    /// for the standby.
    ///
    /// Terminating a session requires that it has the role of this one, or the privileges of pg_signal_backend.
    package static func terminateBlockers(in fleet: FleetKey) throws(FleetStoreError) -> Self {
        Self(
            try calling("terminate_blockers", [.integer(fleet.number)]), isWriting: false
        ) { (results) throws(FleetStoreError) in
            let row = try results.row(0)
            return TerminatedBlockers(
                count: Int(try row.integer("terminated")), refused: Int(try row.integer("refused")))
        }
    }
}
