import Fleet
import RecordKeeping

/// Rows of the schema's tables as values.
extension FleetResultRow {
    func server() throws(FleetStoreError) -> ServerID {
        ServerID(system: UInt64(bitPattern: try integer("system_id")), timeline: Int(try integer("timeline")))
    }

    func fleet() throws(FleetStoreError) -> FleetRow {
        var row = FleetRow(server: try server())
        row.term = try counter("term")
        if let leader = try optionalText("leader") {
            row.leader = NodeRun(node: NodeID(leader), epoch: try counter("leader_epoch"))
        }
        row.beat = try counter("beat")
        row.clock = BootTime(nanoseconds: try counter("clock"))
        row.knownBeat = try counter("known_beat")
        row.incarnation = Incarnation(number: try counter("incarnation"), id: try id("incarnation_id"))
        row.isHandedOver = try bool("is_handed_over")
        row.succeededTerm = try counter("succeeded_term")
        row.beatAt = WallTime(milliseconds: try integer("beat_at"))
        return row
    }

    func node() throws(FleetStoreError) -> NodeRow {
        var row = NodeRow(
            id: NodeID(try text("id")), name: try text("name"), epoch: try counter("epoch"),
            machine: try text("machine"), version: try text("version"), encoding: Int(try integer("encoding")))
        row.beat = try counter("beat")
        row.hasRoute = try bool("has_route")
        row.failedTerm = try optionalCounter("failed_term")
        row.applied = try counter("applied")
        row.hasLeft = try bool("has_left")
        row.beatAt = WallTime(milliseconds: try integer("beat_at"))
        return row
    }

    func cursor() throws(FleetStoreError) -> JournalCursor {
        JournalCursor(seq: try counter("seq"), id: try id("id"))
    }

    func incarnationStart() throws(FleetStoreError) -> IncarnationStart {
        IncarnationStart(number: try counter("incarnation"), row: try cursor())
    }

    func journalRow(_ outcomes: [Int64: [ProposalOutcome]]) throws(FleetStoreError) -> JournalRow {
        let seq = try counter("seq")
        return JournalRow(
            seq: seq, id: try id("id"), previous: try id("previous"), term: try counter("term"),
            incarnation: try counter("incarnation"), clock: BootTime(nanoseconds: try counter("clock")),
            encoding: Int(try integer("encoding")), body: try bytes("body"), outcomes: outcomes[seq] ?? [])
    }

    func outcome() throws(FleetStoreError) -> ProposalOutcome {
        ProposalOutcome(id: try id("id"), reply: try bytes("reply"))
    }

    func proposal() throws(FleetStoreError) -> Proposal {
        guard let user = UInt32(exactly: try integer("user_id")) else {
            throw .unexpectedReply(reason: "invalid user id")
        }
        return Proposal(id: try id("id"), node: NodeID(try text("node")), user: user, body: try bytes("body"))
    }
}
