import Fleet
import RecordKeeping

extension FleetReply {
    /// The reply without wall clocks. Ids and outcomes are in the order of ids, because their order means nothing.
    func comparable(_ server: (ServerID) -> ServerID) -> FleetReply {
        switch self {
        case .node(let row): .node(row?.withoutClock)
        case .beat(let reply):
            .beat(
                BeatReply(
                    server: server(reply.server), isRegistered: reply.isRegistered, isLeaseHeld: reply.isLeaseHeld,
                    fleet: reply.fleet.comparable(server), nodes: reply.nodes.map(\.withoutClock)))
        case .polled(let reply):
            .polled(
                PollReply(
                    server: server(reply.server), fleet: reply.fleet.comparable(server), cursorID: reply.cursorID,
                    rows: reply.rows, first: reply.first, last: reply.last, lastIncarnation: reply.lastIncarnation,
                    proposals: reply.proposals, readAt: WallTime(milliseconds: 0)))
        case .snapshot(let snapshot):
            .snapshot(
                FleetSnapshot(
                    server: server(snapshot.server), fleet: snapshot.fleet.comparable(server), cursor: snapshot.cursor,
                    state: snapshot.state, recent: snapshot.recent, starts: snapshot.starts,
                    outcomes: snapshot.outcomes.sorted { $0.id < $1.id }))
        case .withdrawn(let ids): .withdrawn(ids.sorted())
        case .changed, .resolved, .swept, .done: self
        }
    }
}

extension FleetFailure {
    /// The failure with its ids in order.
    var sorted: FleetFailure {
        if case .outcomesKnown(let ids) = self { .outcomesKnown(ids.sorted()) } else { self }
    }
}

extension FleetQuery {
    /// The query for another server.
    func mapServers(_ server: (ServerID) -> ServerID) -> FleetQuery {
        guard case .raiseIncarnation(let old, let oldServer, let newServer, let new) = self else { return self }
        return .raiseIncarnation(from: old, server: server(oldServer), newServer: server(newServer), to: new)
    }
}

extension NodeRow {
    fileprivate var withoutClock: NodeRow {
        var row = self
        row.beatAt = WallTime(milliseconds: 0)
        return row
    }
}

extension FleetRow {
    fileprivate func comparable(_ server: (ServerID) -> ServerID) -> FleetRow {
        var row = self
        (row.server, row.beatAt) = (server(row.server), WallTime(milliseconds: 0))
        return row
    }
}
