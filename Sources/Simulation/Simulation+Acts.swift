import RecordKeeping

/// What the plan does to the world.
extension Simulation {
    mutating func perform(_ act: Act) throws(Violation) {
        // What was put off by a sleep may come when all is to be well.
        guard !isQuiet else { return }
        note("\(act)")
        coverage.count(act.name)
        switch act {
        case .crash(let down):
            try end()
            restart(after: down)
        case .crashAtCall(let down): awaited[.crashAtCall] = down
        case .crashAtLostCall(let down): awaited[.crashAtLostCall] = down
        case .crashAtAlert(let down): awaited[.crashAtAlert] = down
        case .loseWayAtCall(let time): awaited[.lossAtCall] = time
        case .stop(let down):
            guard let number = life?.number, life?.isStopping == false else { return }
            life?.isStopping = true
            // As a service manager does: what has not ended by itself is killed, and then started anew.
            agenda.add(.kill(life: number), at: now + .seconds(8))
            restart(after: down + .seconds(9))
            try handle(.terminating)
        case .reboot(let down, let clockOff):
            try end()
            machine.reboot(at: now + down)
            machine.stepWallClock(by: clockOff)
            restart(after: down + .seconds(3))
        case .suspend(let time): suspend(for: time)
        case .suspendAtCall(let time): awaited[.suspendAtCall] = time
        case .stepClock(let step):
            machine.stepWallClock(by: step)
            try handle(.clockStepped)
        case .loseWay(let time):
            loseWay(after: .zero, for: time)
        case .flap(let times, let each):
            for turn in 0..<times { loseWay(after: each * (2 * turn), for: each) }
        case .routeNoise(let count):
            for _ in 0..<count { tellOfRoutes() }
        case .fault(let fault, let calls): providers[configured].inject(fault, calls: calls)
        case .providerDown(let time): providers[configured].downUntil = now + time
        case .providerSlow(let time): providers[configured].slowUntil = now + time
        case .changeRecord(let number): providers[configured].change(plan.addresses[number])
        case .changeProvider(let number, let down):
            try end()
            configured = number
            restart(after: down)
        case .diskFails(let time): disk.failsUntil = now + time
        case .diskSlow(let time): disk.slowUntil = now + time
        case .lists(let numbers):
            let first = plan.addresses.count - plan.listed
            listed = Set(numbers.map { plan.addresses[first + $0] })
            readLists()
        case .listsUnreadable: try handle(.listsRead(ListReading([], isComplete: false)))
        case .ask(let client, let question): try ask(client, question)
        case .replaceAroundWindowEnd(let numbers):
            replace(numbers) { place, dice in place == 0 ? nil : .milliseconds(dice.number(-8_000...4_000)) }
        case .replyAcrossWindowEnd(let numbers):
            awaited[.replyAcrossWindowEnd] = .seconds(20)
            replace(numbers) { place, dice in
                switch place {
                case 0: nil
                case 1: .milliseconds(dice.number(-4_000...0))
                case 2: .milliseconds(dice.number(0...3_000))
                default: .milliseconds(dice.number(4_000...16_000))
                }
            }
        }
    }

    mutating func suspend(for time: Duration) {
        machine.suspend(until: now + time)
        agenda.add(.wake, at: now + time)
    }

    /// What was to happen now, if it was.
    mutating func take(_ cue: Cue) -> Duration? {
        guard !isQuiet, let time = awaited.removeValue(forKey: cue) else { return nil }
        coverage.count(cue.rawValue)
        return time
    }

    /// Removes each of these and adds it again, at a time that is counted from the end of the window that is open, or would be.
    ///
    /// - Parameter offset: of the one at this place; nil for at once, so that a window begins with it where none is open.
    private mutating func replace(_ numbers: [Int], at offset: (_ place: Int, inout Dice) -> Duration?) {
        guard let rest = provider.windowRest(of: .single, at: now) else { return }
        // Whoever listens asks nothing else.
        if clients[Self.administrator].isListening { hangUp(Self.administrator) }
        for (place, number) in numbers.enumerated() {
            let time = offset(place, &dice).map { max(now, now + (rest + $0)) } ?? now
            agenda.add(.ask(client: Self.administrator, .remove([number])), at: time)
            agenda.add(.ask(client: Self.administrator, .add([number])), at: time)
        }
    }

    // MARK: Lists

    /// As at the start and at a reload: they are read a moment later, as they are then.
    ///
    /// - Parameter request: of the client that asked for it.
    mutating func readLists(for request: Request.ID? = nil, isForced: Bool = false) {
        guard let life else { return }
        agenda.add(
            .readLists(life: life.number, request, isForced: isForced),
            at: now + dice.duration(.microseconds(100), .milliseconds(50)))
    }

    mutating func listsRead(for request: Request.ID?, isForced: Bool, life number: Int) throws(Violation) {
        guard number == life?.number else { return }
        listsRead += 1
        // A reading without any address may be refused, and the addresses that earlier readings left on the list are
        // uncertain.
        listedThen = listed.isEmpty && !isForced ? nil : listed
        agenda.add(.checkLists(life: number, reading: listsRead), at: now + Self.listing)
        let lines = listed.sorted().map { ListedAddress(address: $0) }
        try handle(.listsRead(ListReading(lines, for: request, isForced: isForced, linesPerPortion: 5)))
    }

    /// How long a reading of the lists may take until it is on disk, where that is well.
    private static let listing = Duration.seconds(20)

    mutating func checkLists(_ number: Int, reading: Int) throws(Violation) {
        let slow = max(disk.slowUntil, machine.asleepUntil)
        guard let life, life.number == number, !life.isStopping, reading == listsRead, now - slow > Self.listing,
            now - disk.failsUntil > .seconds(60) + Self.listing, let listedThen
        else { return }
        coverage.count("lists checked")
        try promises.checkLists(listedThen, of: plan.addresses.suffix(plan.listed), disk: disk, at: now)
    }

    // MARK: Routes

    mutating func loseWay(after delay: Duration, for time: Duration) {
        agenda.add(.route(isOpen: false), at: now + delay)
        agenda.add(.route(isOpen: true), at: now + delay + time)
    }

    mutating func turnRoute(_ isOpen: Bool) throws(Violation) {
        guard isOpen ? routes.putBack(at: now) : routes.lose(at: now) else { return }
        note("the way is \(isOpen ? "back" : "lost")")
        tellOfRoutes()
        agenda.add(.checkWay(now), at: now + settings.settle + .seconds(2))
    }

    /// The kernel's messages come one by one, soon, and sometimes more of them than would be needed.
    private mutating func tellOfRoutes() {
        guard let number = life?.number, plan.sabotage != .silentKernel else { return }
        for _ in 0..<dice.number(1...3) {
            agenda.add(
                .event(life: number, .routesChanged), at: now + dice.duration(.microseconds(10), .milliseconds(100)))
        }
    }

    /// Once things have settled, what is told is what is so.
    mutating func checkWay(_ since: Moment) throws(Violation) {
        let settled = settings.settle + .seconds(2)
        guard let life, !life.isStopping, routes.since == since, now - life.since > settled + .seconds(11),
            now - machine.asleepUntil > settled, now - disk.slowUntil > settled + Self.slowWrite,
            now - disk.failsUntil > .seconds(65)
        else { return }
        coverage.count(routes.isOpen ? "return told" : "loss told")
        guard promises.isToldLost != routes.isOpen else {
            let what = routes.isOpen ? "return" : "loss"
            throw Violation(promise: "a \(what) is told at once", details: "not told since \(since)", moment: now)
        }
    }
}
