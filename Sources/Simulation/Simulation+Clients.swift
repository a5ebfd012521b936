import Control
import IPAPI
import RecordKeeping
import Varlink

/// Clients and their connections: bytes in random pieces, both ways.
extension Simulation {
    // MARK: Asking

    mutating func ask(_ index: Int, _ question: Act.Question) throws(Violation) {
        guard life != nil else { return }
        if case .hangUp = question {
            hangUp(index)
            return
        }
        if clients[index].connection == nil { connect(index) }
        guard let connection = clients[index].connection, !clients[index].isListening else { return }
        let numbers: [Int] =
            switch question {
            case .add(let numbers), .remove(let numbers), .show(let numbers, _), .pin(let numbers, _): numbers
            case .history(let number): [number]
            case .status, .list, .refresh, .outages, .reload, .monitor, .garbage, .half, .hangUp: []
            }
        let addresses = numbers.map { plan.addresses[$0] }
        let bytes = clients[index].bytes(question, addresses)
        switch question {
        case .garbage, .half, .hangUp: clients[index].isGarbled = true
        case .add, .remove, .show, .status, .pin, .list, .refresh, .history, .outages, .reload, .monitor:
            remember(index, question, addresses)
        }
        deliver(bytes, to: connection)
    }

    private mutating func remember(_ index: Int, _ question: Act.Question, _ addresses: [IPAddress]) {
        lastQuestion += 1
        var wait = Duration.zero
        switch question {
        case .add, .remove: if clients[index].isAdministrator { promises.asked(Set(addresses)) }
        case .pin: if clients[index].isAdministrator { promises.askedToPin(Set(addresses)) }
        case .show(_, let longest): wait = longest
        case .status, .list, .refresh, .history, .outages, .reload, .monitor, .garbage, .half, .hangUp: break
        }
        clients[index].open.append(
            .init(number: lastQuestion, question: question, addresses: addresses, at: now, wait: wait))
        guard question != .monitor else { return }
        agenda.add(.deadline(client: index, number: lastQuestion), at: now + wait + .seconds(30))
    }

    /// Every call has its answer in time, whatever else goes wrong. Its time begins once those before it on the connection have
    /// theirs.
    mutating func checkDeadline(_ index: Int, _ number: Int) throws(Violation) {
        guard let place = clients[index].open.firstIndex(where: { $0.number == number }) else { return }
        let asked = clients[index].open[place]
        let excuse = max(asked.at, machine.asleepUntil, disk.slowUntil, life?.since ?? now)
        let latest = (place > 0 ? now : excuse) + asked.wait + .seconds(30)
        guard latest < now else {
            agenda.add(.deadline(client: index, number: number), at: latest + .milliseconds(1))
            return
        }
        // Half a call was sent before it, so that it is no call at all.
        guard !clients[index].isGarbled else { return }
        throw Violation(
            promise: "every call has its answer in time", details: "client \(index) still waits: \(asked.question)",
            moment: now)
    }

    // MARK: Connections

    private mutating func connect(_ index: Int) {
        lastConnection += 1
        clients[index].connection = lastConnection
        clients[index].conversation = ClientConversation(limitBytes: 64 << 20)
        clients[index].isGarbled = false
        life?.connections[lastConnection] = SimulatedConnection(
            client: index, peer: PeerID(number: UInt64(lastConnection)))
    }

    private mutating func hangUp(_ index: Int) {
        guard let connection = clients[index].connection else { return }
        forget(index, mayComeLate: true)
        agenda.add(.hungUp(connection: connection), at: now + dice.duration(.microseconds(1), .milliseconds(5)))
    }

    /// The client waits for no answers any more: whether its changes happened is not known.
    private mutating func forget(_ index: Int, mayComeLate: Bool) {
        for asked in clients[index].open where clients[index].isAdministrator {
            switch asked.question {
            case .add, .remove: promises.lost(Set(asked.addresses), mayComeLate: mayComeLate)
            case .pin: promises.lostPin(Set(asked.addresses), mayComeLate: mayComeLate)
            case .show, .status, .list, .refresh, .history, .outages, .reload, .monitor, .garbage, .half, .hangUp: break
            }
        }
        clients[index].open = []
        clients[index].connection = nil
    }

    /// The server's end is gone.
    mutating func drop(_ connection: Int) {
        if let index = clients.firstIndex(where: { $0.connection == connection }) { forget(index, mayComeLate: false) }
        life?.connections[connection] = nil
    }

    mutating func hungUp(_ connection: Int) throws(Violation) {
        guard let peer = life?.connections[connection]?.peer else { return }
        life?.connections[connection] = nil
        try handle(.clientLeft(peer))
    }

    // MARK: To the server

    private mutating func deliver(_ bytes: [UInt8], to connection: Int) {
        guard let number = life?.number else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(dice.chance(0.7) ? rest.count : dice.number(1...64))
            rest = rest.dropFirst(piece.count)
            let arrival =
                max(now, life?.connections[connection]?.lastIn ?? now)
                + dice.duration(.microseconds(1), .milliseconds(3))
            life?.connections[connection]?.lastIn = arrival
            agenda.add(.toServer(life: number, connection: connection, Array(piece)), at: arrival)
        }
    }

    mutating func receive(_ bytes: [UInt8], _ connection: Int, life number: Int) throws(Violation) {
        guard number == life?.number else { return }
        life?.connections[connection]?.conversation.receive(bytes)
        try takeCalls(connection)
    }

    private mutating func takeCalls(_ connection: Int) throws(Violation) {
        while life?.connections[connection]?.current == nil {
            let call: IncomingCall?
            do {
                call = try life?.connections[connection]?.conversation.next()
            } catch {
                coverage.count("client dropped for what it sent")
                guard let peer = life?.connections[connection]?.peer else { return }
                drop(connection)
                try handle(.clientLeft(peer))
                return
            }
            guard let call else { return }
            try take(call, connection)
        }
    }

    private mutating func take(_ call: IncomingCall, _ connection: Int) throws(Violation) {
        guard let end = life?.connections[connection] else { return }
        do {
            let body = try Request.Body(call)
            let id = Request.ID(peer: end.peer, number: end.requests + 1)
            life?.connections[connection]?.requests += 1
            life?.connections[connection]?.current = id
            let isAdministrator = clients[end.client].isAdministrator
            if case .list = body,
                let place = clients[end.client].open.firstIndex(where: { $0.question.isList && $0.expected == nil })
            {
                clients[end.client].open[place].expected = promises.untouched
            }
            try handle(.requested(Request(id: id, isByAdministrator: isAdministrator, body: body)))
        } catch let error as ControlError {
            let bytes = life?.connections[connection]?.conversation.finished(OutgoingReply.error(error)) ?? []
            deliver(bytes, fromServer: connection)
        } catch let violation as Violation {
            throw violation
        } catch {
            preconditionFailure("the two errors above are all that is thrown")
        }
    }

    // MARK: To the client

    mutating func answer(_ request: Request.ID, _ response: Response) throws(Violation) {
        if case .entries(let views) = response {
            for view in views { coverage.count("told as \(view.state.rawValue)") }
            try promises.told(views, disk: disk, boots: machine.boots, at: now)
        }
        if case .refused(let refusal) = response {
            coverage.count("refused: \(refusal)".prefix { $0 != "(" }.description)
        }
        send(message(response), on: request, isLast: true)
        let connection = Int(request.peer.number)
        if let end = life?.connections[connection], end.current == nil {
            // The next call is taken outside of the event that brought the answer to the last.
            guard let number = life?.number else { return }
            agenda.add(.toServer(life: number, connection: connection, []), at: now)
        }
    }

    private func message(_ response: Response, continues: Bool = false) -> [UInt8] {
        OutgoingReply.message(response, continues: continues) { view in
            let store = Interface.Store(path: "/records.db", bytes: 0, changes: 0, lastSeq: view.lastSeq)
            return Status.Reply(view, version: "0", endpoint: provider.provider.endpoint, store: store)
        }
    }

    mutating func answerPart(_ request: Request.ID, _ response: Response) {
        send(message(response, continues: true), on: request, isLast: false)
    }

    mutating func send(_ message: [UInt8], on request: Request.ID, isLast: Bool) {
        let connection = Int(request.peer.number)
        guard var end = life?.connections[connection], end.current == request else { return }
        let bytes: [UInt8]
        if isLast {
            bytes = end.conversation.finished(message)
            end.current = nil
        } else {
            bytes = end.conversation.continued(message)
        }
        life?.connections[connection] = end
        deliver(bytes, fromServer: connection)
    }

    private mutating func deliver(_ bytes: [UInt8], fromServer connection: Int) {
        digest.add(bytes)
        guard plan.sabotage != .lostAnswers else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(dice.chance(0.8) ? rest.count : dice.number(1...1_000))
            rest = rest.dropFirst(piece.count)
            let arrival =
                max(now, life?.connections[connection]?.lastOut ?? now)
                + dice.duration(.microseconds(1), .milliseconds(3))
            life?.connections[connection]?.lastOut = arrival
            agenda.add(.toClient(connection: connection, Array(piece)), at: arrival)
        }
    }

    mutating func read(_ bytes: [UInt8], _ connection: Int) throws(Violation) {
        guard let index = clients.firstIndex(where: { $0.connection == connection }) else { return }
        clients[index].conversation.receive(bytes)
        while true {
            let reply: ClientConversation.IncomingReply?
            do {
                reply = try clients[index].conversation.next()
            } catch {
                throw Violation(promise: "replies are Varlink", details: "\(error)", moment: now)
            }
            guard let reply else { return }
            try take(reply, index)
        }
    }

    private mutating func take(_ reply: ClientConversation.IncomingReply, _ index: Int) throws(Violation) {
        guard let asked = clients[index].open.first else {
            throw Violation(promise: "one final answer", details: "client \(index) had asked nothing", moment: now)
        }
        if case .monitor = asked.question, reply.continues {
            try hear(reply, index)
            return
        }
        if case .list = asked.question, reply.error == nil {
            try takePage(reply, index)
            if reply.continues { return }
        }
        guard !reply.continues else {
            throw Violation(promise: "one final answer", details: "\(asked.question) has several", moment: now)
        }
        clients[index].open.removeFirst()
        // The next one's turn begins now.
        if !clients[index].open.isEmpty { clients[index].open[0].at = now }
        coverage.count("answered")
        let isDone = reply.error == nil
        switch asked.question {
        case .add where clients[index].isAdministrator:
            try settle(asked, isWatched: isDone ? true : nil)
        case .remove where clients[index].isAdministrator:
            try settle(asked, isWatched: isDone ? false : nil)
        case .pin(_, let isPinned) where clients[index].isAdministrator:
            try promises.answeredPin(Set(asked.addresses), isPinned: isDone ? isPinned : nil, disk: disk, at: now)
        case .add, .remove, .pin, .refresh, .reload:
            guard !isDone || clients[index].isAdministrator else {
                throw Violation(promise: "only administrators change", details: "client \(index) did", moment: now)
            }
        case .show, .status, .list, .history, .outages, .monitor, .garbage, .half, .hangUp: break
        }
    }

    /// A page of the whole list; with the last, all of it is there.
    private mutating func takePage(_ reply: ClientConversation.IncomingReply, _ index: Int) throws(Violation) {
        let page: List.Reply
        do {
            page = try reply.parameters(as: List.Reply.self)
        } catch {
            throw Violation(promise: "replies are Varlink", details: "\(error)", moment: now)
        }
        let addresses = page.entries.compactMap { try? IPAddress($0.address) }
        clients[index].open[0].listed += addresses
        guard !reply.continues else { return }
        coverage.count("list read to its end")
        try promises.checkList(clients[index].open[0].listed, clients[index].open[0].expected ?? [:], at: now)
    }

    private mutating func settle(_ asked: SimulatedClient.Asked, isWatched: Bool?) throws(Violation) {
        try promises.answered(Set(asked.addresses), isWatched: isWatched, disk: disk, at: now)
    }

    private mutating func hear(_ reply: ClientConversation.IncomingReply, _ index: Int) throws(Violation) {
        let event: Interface.Event
        do {
            event = try reply.parameters(as: Monitor.Reply.self).event
        } catch {
            throw Violation(promise: "replies are Varlink", details: "\(error)", moment: now)
        }
        guard let seq = event.seq else { return }
        coverage.count("event heard")
        try promises.heard(seq, after: clients[index].cursor, at: now)
        clients[index].cursor = seq
    }
}
