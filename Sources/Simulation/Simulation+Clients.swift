import Control
import RecordKeeping
import Varlink

/// The clients and their connections. Bytes arrive in random pieces, in both directions.
extension Simulation {
    // MARK: Requests

    /// Performs an action of a client, which connects if necessary. A listening client sends no calls.
    mutating func ask(_ index: Int, _ question: Act.ClientAction) throws(Violation) {
        guard run != nil else { return }
        if case .hangUp = question {
            hangUp(index)
            return
        }
        if case .stopReading(let time) = question {
            clients[index].readsFrom = max(clients[index].readsFrom, now + time)
            return
        }
        if clients[index].connection == nil { connect(index) }
        guard let connection = clients[index].connection, !clients[index].isListening else { return }
        let numbers: [Int] =
            switch question {
            case .add(let numbers), .addFor(let numbers, _), .remove(let numbers), .show(let numbers, _),
                .pin(let numbers, _):
                numbers
            case .history(let number): [number]
            case .status, .list, .refresh, .outages, .reload, .monitor, .garbage, .half, .stopReading, .hangUp: []
            }
        let addresses = numbers.map { plan.addresses[$0] }
        var until: WallTime?
        if case .addFor(_, let time) = question { until = machine.instant(at: now).wall + time }
        let bytes = clients[index].bytes(question, addresses, until: until)
        switch question {
        case .garbage, .half, .stopReading, .hangUp: clients[index].isGarbled = true
        case .add, .addFor, .remove, .show, .status, .pin, .list, .refresh, .history, .outages, .reload, .monitor:
            remember(index, question, addresses, until: until)
        }
        deliver(bytes, to: connection)
    }

    private mutating func remember(
        _ index: Int, _ question: Act.ClientAction, _ addresses: [IPAddress], until: WallTime?
    ) {
        lastQuestion += 1
        var wait = Duration.zero
        switch question {
        case .add, .addFor, .remove: if clients[index].isAdministrator { promises.asked(Set(addresses)) }
        case .pin: if clients[index].isAdministrator { promises.askedToPin(Set(addresses)) }
        case .show(_, let maximum): wait = maximum
        default: break
        }
        clients[index].open.append(
            .init(
                number: lastQuestion, question: question, addresses: addresses, at: now, wait: wait, until: until,
                steps: machine.clocks.steps))
        guard question != .monitor else { return }
        eventQueue.add(.deadline(client: index, number: lastQuestion), at: now + wait + .seconds(30))
    }

    /// Checks that a call is answered in time, whatever else fails. Its time limit begins when all earlier calls on the
    /// connection have been answered.
    mutating func checkDeadline(_ index: Int, _ number: Int) throws(Violation) {
        guard let place = clients[index].open.firstIndex(where: { $0.number == number }) else { return }
        let asked = clients[index].open[place]
        let excuse = max(
            asked.at, machine.asleepUntil, disk.slowUntil, clients[index].readsFrom, run?.since ?? now)
        let latest = (place > 0 ? now : excuse) + asked.wait + .seconds(30)
        guard latest < now else {
            eventQueue.add(.deadline(client: index, number: number), at: latest + .milliseconds(1))
            return
        }
        // Incomplete or invalid bytes precede the call, so the server may not recognize it.
        guard !clients[index].isGarbled else { return }
        throw broken("every call gets its reply in time", "client \(index) still waits for \(asked.question)")
    }

    // MARK: Connections

    private mutating func connect(_ index: Int) {
        lastConnection += 1
        clients[index].connection = lastConnection
        clients[index].unread = []
        clients[index].conversation = ClientConversation(limitBytes: 64 << 20)
        clients[index].isGarbled = false
        run?.connections[lastConnection] = SimulatedConnection(
            client: index, peer: PeerID(number: UInt64(lastConnection)))
    }

    mutating func hangUp(_ index: Int) {
        guard let connection = clients[index].connection else { return }
        forget(index, mayComeLate: true)
        eventQueue.add(.hungUp(connection: connection), at: now + prng.duration(.microseconds(1), .milliseconds(5)))
    }

    /// Forgets the open calls of a client. It is unknown whether their changes take effect.
    mutating func forget(_ index: Int, mayComeLate: Bool) {
        for asked in clients[index].open where clients[index].isAdministrator {
            switch asked.question {
            case .add, .addFor, .remove: promises.lost(Set(asked.addresses), mayComeLate: mayComeLate)
            case .pin: promises.lostPin(Set(asked.addresses), mayComeLate: mayComeLate)
            default: break
            }
        }
        clients[index].open = []
        clients[index].connection = nil
    }

    /// Handles a connection that the server has closed.
    mutating func drop(_ connection: Int) {
        if let index = clients.firstIndex(where: { $0.connection == connection }) { forget(index, mayComeLate: false) }
        run?.connections[connection] = nil
    }

    mutating func hungUp(_ connection: Int) throws(Violation) {
        guard let peer = run?.connections[connection]?.peer else { return }
        run?.connections[connection] = nil
        try handle(.clientLeft(peer))
    }

    // MARK: Bytes to the server

    private mutating func deliver(_ bytes: [UInt8], to connection: Int) {
        guard let number = run?.number else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(prng.chance(0.7) ? rest.count : prng.number(1...64))
            rest = rest.dropFirst(piece.count)
            let arrival =
                max(now, run?.connections[connection]?.lastIn ?? now)
                + prng.duration(.microseconds(1), .milliseconds(3))
            run?.connections[connection]?.lastIn = arrival
            eventQueue.add(.toServer(run: number, connection: connection, Array(piece)), at: arrival)
        }
    }

    /// Handles bytes that arrive at the server. If `bytes` is empty, the server only reads the next call.
    mutating func receive(_ bytes: [UInt8], _ connection: Int, run number: Int) throws(Violation) {
        guard number == run?.number else { return }
        run?.connections[connection]?.conversation.receive(bytes)
        try handleCalls(connection)
    }

    private mutating func handleCalls(_ connection: Int) throws(Violation) {
        while run?.connections[connection]?.current == nil {
            let call: IncomingCall?
            do {
                call = try run?.connections[connection]?.conversation.next()
            } catch {
                coverage.count("client disconnected after invalid bytes")
                guard let peer = run?.connections[connection]?.peer else { return }
                drop(connection)
                try handle(.clientLeft(peer))
                return
            }
            guard let call else { return }
            try handle(call, connection)
        }
    }

    private mutating func handle(_ call: IncomingCall, _ connection: Int) throws(Violation) {
        guard let end = run?.connections[connection] else { return }
        do {
            let body = try Request.Body(call)
            let id = Request.ID(peer: end.peer, number: end.requests + 1)
            run?.connections[connection]?.requests += 1
            run?.connections[connection]?.current = id
            let isAdministrator = clients[end.client].isAdministrator
            if case .list = body,
                let place = clients[end.client].open.firstIndex(where: { $0.question.isList && $0.expected == nil })
            {
                clients[end.client].open[place].expected = promises.untouched
            }
            let user = clients[end.client].user
            try handle(.requested(Request(id: id, isByAdministrator: isAdministrator, user: user, body: body)))
        } catch let error as ControlError {
            let bytes = run?.connections[connection]?.conversation.finished(OutgoingReply.error(error)) ?? []
            deliver(bytes, fromServer: connection)
        } catch let violation as Violation {
            throw violation
        } catch {
            preconditionFailure("only the two errors above can be thrown")
        }
    }
}
