import Control
import IPAPI
import RecordKeeping
import Varlink

/// The replies and events that the daemon sends, and the clients' checks of them.
extension Simulation {
    // MARK: Bytes from the server

    /// Checks and sends the final reply to a request.
    mutating func answer(_ request: Request.ID, _ response: Response) throws(Violation) {
        try check(response)
        if case .refused(let refusal) = response {
            try checkLimit(refusal, of: request)
            coverage.count("refused: \(refusal)".prefix { $0 != "(" }.description)
        }
        run?.requests[request] = nil
        send(message(response), on: request, isLast: true)
        let connection = Int(request.peer.number)
        if let end = run?.connections[connection], end.current == nil {
            // The next call is handled outside the event that led to this reply.
            guard let number = run?.number else { return }
            eventQueue.add(.toServer(run: number, connection: connection, []), at: now)
        }
    }

    /// Checks the entries of a response, if it has any.
    private mutating func check(_ response: Response) throws(Violation) {
        let views: [EntryView]
        switch response {
        case .entries(let entries): views = entries
        case .page(let page): views = page.entries
        default: return
        }
        for view in views { coverage.count("reported as \(view.state.rawValue)") }
        try promises.checkAnswer(views, disk: disk, machine: machine, idleSince: idleSince, at: now)
        if run?.isDiskFailing == true { try promises.checkAnswerWithoutDisk(views, at: now) }
    }

    /// The time since which the current process could make calls; nil if it is shutting down, has a call in flight, or
    /// is about to reserve one: it waits for a commit, or for a timer that is late. Calls and commits of the event that
    /// caused the checked reply count, even if they come after the reply.
    private var idleSince: Moment? {
        guard let run, !run.isStopping, run.commits.isEmpty, !run.keeper.isCommitting, run.keeper.footprint.calls == 0
        else { return nil }
        if let deadline = run.deadline, deadline <= machine.instant(at: now).boot { return nil }
        // A process checks the route first, and may have to wait until the provider's name is resolved.
        return max(
            run.since + .seconds(15), routes.sinceChecked + .seconds(2), disk.slowUntil + Self.slowWrite,
            disk.failsUntil + Conditions.storeBackoff)
    }

    /// Serializes a response.
    func message(_ response: Response, continues: Bool = false) -> [UInt8] {
        let state = StateReplies(version: "0", endpoint: provider.provider.endpoint) { view in
            Interface.Store(
                path: "/records.db", bytes: 0, changes: 0, lastSeq: view.lastSeq, failure: view.storeFailure)
        }
        return encoder.message(response, continues: continues, state: state)
    }

    mutating func answerPart(_ request: Request.ID, _ response: Response) throws(Violation) {
        if case .entries = response {
            preconditionFailure("a simulated client must not show more addresses than fit in a turn")
        }
        try check(response)
        send(message(response, continues: true), on: request, isLast: false)
    }

    /// Sends one event to a listener. A listener with too many unread bytes is disconnected, and may return with its
    /// cursor.
    mutating func deliver(_ message: [UInt8], on request: Request.ID) {
        let connection = Int(request.peer.number)
        guard let end = run?.connections[connection] else { return }
        guard end.unread > SimulatedConnection.unreadBytes else {
            send(message, on: request, isLast: false)
            return
        }
        guard clients[end.client].connection == connection else { return }
        coverage.count("slow listener disconnected")
        forget(end.client, mayComeLate: true)
        eventQueue.add(.hungUp(connection: connection), at: now)
    }

    /// Schedules the next page for the time when the client reads again.
    mutating func resume(_ request: Request.ID, run number: Int) {
        let index = run?.connections[Int(request.peer.number)]?.client
        let hasRead = index.map { max(now, clients[$0].readsFrom) } ?? now
        eventQueue.add(
            .event(run: number, .resumed(request)), at: hasRead + prng.duration(.microseconds(1), .milliseconds(20)))
    }

    /// Sends a message in reply to a request, unless the request was answered or its connection closed.
    mutating func send(_ message: [UInt8], on request: Request.ID, isLast: Bool) {
        let connection = Int(request.peer.number)
        guard let end = run?.connections[connection], end.current == request else { return }
        let bytes: [UInt8]
        if isLast {
            bytes = end.conversation.finished(message)
            end.current = nil
        } else {
            bytes = end.conversation.continued(message)
        }
        deliver(bytes, fromServer: connection)
    }

    mutating func deliver(_ bytes: [UInt8], fromServer connection: Int) {
        digest.add(bytes)
        guard plan.sabotage != .lostAnswers else { return }
        run?.connections[connection]?.unread += bytes.count
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(prng.chance(0.8) ? rest.count : prng.number(1...1_000))
            rest = rest.dropFirst(piece.count)
            let arrival =
                max(now, run?.connections[connection]?.lastOut ?? now)
                + prng.duration(.microseconds(1), .milliseconds(3))
            run?.connections[connection]?.lastOut = arrival
            eventQueue.add(.toClient(connection: connection, Array(piece)), at: arrival)
        }
    }

    /// Handles bytes that arrive at a client, once it reads again. If `bytes` is empty, the client only reads.
    mutating func read(_ bytes: [UInt8], _ connection: Int) throws(Violation) {
        guard let index = clients.firstIndex(where: { $0.connection == connection }) else { return }
        clients[index].unread += bytes
        guard clients[index].readsFrom <= now else {
            eventQueue.add(.toClient(connection: connection, []), at: clients[index].readsFrom)
            return
        }
        run?.connections[connection]?.unread -= clients[index].unread.count
        clients[index].conversation.receive(clients[index].unread)
        clients[index].unread = []
        while true {
            let reply: ClientConversation.IncomingReply?
            do {
                reply = try clients[index].conversation.next()
            } catch {
                throw broken("replies are valid Varlink", "\(error)")
            }
            guard let reply else { return }
            try handle(reply, index)
        }
    }

    private mutating func handle(_ reply: ClientConversation.IncomingReply, _ index: Int) throws(Violation) {
        guard let asked = clients[index].open.first else {
            throw broken("each call gets one final reply", "client \(index) had no open call")
        }
        if case .monitor = asked.question, reply.continues {
            try hear(reply, index)
            return
        }
        if case .list = asked.question, reply.error == nil {
            try handlePage(reply, index)
            if reply.continues { return }
        }
        guard !reply.continues else {
            throw broken("each call gets one final reply", "several replies to \(asked.question)")
        }
        clients[index].open.removeFirst()
        // The time limit of the next call begins now.
        if !clients[index].open.isEmpty { clients[index].open[0].at = now }
        coverage.count("final reply received")
        if case .monitor = asked.question { try moveCursor(reply, index) }
        let isDone = reply.error == nil
        switch asked.question {
        case .add where clients[index].isAdministrator:
            try resolve(asked, isWatched: isDone ? true : nil)
        case .addFor where clients[index].isAdministrator:
            try promises.answeredTemporarily(asked, isDone: isDone, disk: disk, machine, at: now)
        case .remove where clients[index].isAdministrator:
            try resolve(asked, isWatched: isDone ? false : nil)
        case .pin(_, let isPinned) where clients[index].isAdministrator:
            try promises.answeredPin(Set(asked.addresses), isPinned: isDone ? isPinned : nil, disk: disk, at: now)
        case .add, .addFor, .remove, .pin, .refresh, .reload:
            guard !isDone || clients[index].isAdministrator else {
                throw broken("only administrators can make changes", "client \(index) made one")
            }
        case .show, .status, .list, .history, .outages, .monitor, .garbage, .half, .stopReading, .hangUp: break
        }
    }

    /// Handles a page of the list, and checks the whole list after its last page.
    private mutating func handlePage(_ reply: ClientConversation.IncomingReply, _ index: Int) throws(Violation) {
        let addresses: [IPAddress]
        do {
            addresses = try reply.parameters(as: List.Reply.self).entries.map { try IPAddress($0.address) }
        } catch {
            throw broken("replies are valid Varlink", "\(error)")
        }
        clients[index].open[0].listed += addresses
        guard !reply.continues else { return }
        coverage.count("list read completely")
        try promises.checkList(clients[index].open[0].listed, clients[index].open[0].expected ?? [:], at: now)
    }

    private mutating func resolve(_ asked: SimulatedClient.Asked, isWatched: Bool?) throws(Violation) {
        try promises.answered(Set(asked.addresses), isWatched: isWatched, disk: disk, at: now)
    }

    /// Moves a listener whose next event has been deleted to the oldest kept event.
    private mutating func moveCursor(_ reply: ClientConversation.IncomingReply, _ index: Int) throws(Violation) {
        struct Gone: Decodable { var oldest: Int64 }
        guard reply.error == "\(Interface.name).EventsGone", let gone = try? reply.parameters(as: Gone.self) else {
            return
        }
        guard promises.history.isForgotten(clients[index].cursor + 1) else {
            throw broken("history is kept", "event \(clients[index].cursor + 1) was refused")
        }
        clients[index].cursor = gone.oldest - 1
    }

    private mutating func hear(_ reply: ClientConversation.IncomingReply, _ index: Int) throws(Violation) {
        let event: Interface.Event
        do {
            event = try reply.parameters(as: Monitor.Reply.self).event
        } catch {
            throw broken("replies are valid Varlink", "\(error)")
        }
        guard let seq = event.seq else { return }
        coverage.count("event received")
        try promises.heard(seq, after: clients[index].cursor, of: clients[index].kinds, at: now)
        clients[index].cursor = seq
    }
}
