import ProviderModel
import RecordKeeping

/// The acts of the plan, and their effects on the simulated world.
extension Simulation {
    /// Performs an act now, or stores the act until its trigger occurs. Does nothing after the faults have ended.
    mutating func perform(_ act: Act) throws(Violation) {
        // Acts that a suspension postponed may be due after all faults have ended.
        guard !isQuiet else { return }
        note("\(act)")
        coverage.count(act.name)
        switch act {
        case .crash(let down):
            try end()
            restart(after: down)
        case .watchName(let name): try change(.addNames([Plan.names[name]], tags: [], note: nil))
        case .unwatchName(let name): try change(.removeNames([Plan.names[name]]))
        case .changeName(let name, let numbers):
            resolver.names[Plan.names[name]] = numbers.isEmpty ? nil : numbers.map { plan.addressesOfNames[$0] }
        case .crashAtCall(let down): awaited[.crashAtCall] = down
        case .crashAtLostCall(let down): awaited[.crashAtLostCall] = down
        case .crashAtAlert(let down): awaited[.crashAtAlert] = down
        case .loseRouteAtCall(let time): awaited[.lossAtCall] = time
        case .stop(let down):
            guard let number = run?.number, run?.isStopping == false else { return }
            run?.isStopping = true
            // Like a service manager, kill a process that has not ended by itself, then restart it.
            eventQueue.add(.kill(run: number), at: now + .seconds(8))
            restart(after: down + .seconds(9))
            try handle(.terminating)
        case .reboot(let down, let clockOff):
            try end()
            machine.reboot(at: now + down, endedAt: now)
            machine.stepWallClock(by: clockOff, at: now)
            restart(after: down + .seconds(3))
        case .suspend(let time): suspend(for: time)
        case .suspendAtCall(let time): awaited[.suspendAtCall] = time
        case .stepClock(let step):
            machine.stepWallClock(by: step, at: now)
            try handle(.clockStepped)
        case .loseRoute(let time):
            loseRoute(after: .zero, for: time)
        case .flap(let times, let each):
            for turn in 0..<times { loseRoute(after: each * (2 * turn), for: each) }
        case .routeNoise(let count):
            for _ in 0..<count { notifyOfRoutes() }
        case .moveProvider(let move): moveProvider(move)
        case .resolverFails(let time): breakResolver(\.failsUntil, for: time)
        case .resolverSlow(let time): breakResolver(\.slowUntil, for: time)
        case .familyUnanswered(let family, let time): resolver.unanswered = (family, now + time)
        case .fault(let fault, let calls): providers[configured].model.inject(fault, calls: calls)
        case .providerDown(let time): providers[configured].downUntil = now + time
        case .providerSlow(let time): providers[configured].slowUntil = now + time
        case .endpointFault(let endpoint, let fault, let time):
            providers[configured].breakEndpoint(endpoint, with: fault, until: now + time)
        case .neighbours(let endpoint, let calls):
            providers[configured].countNeighbours(calls, at: endpoint, at: now)
        case .changeLimit(let endpoint, let limit): changeLimit(of: endpoint, to: limit)
        case .changeRecord(let number): providers[configured].model.change(plan.addresses[number])
        case .changeProvider(let number, let down):
            try end()
            configured = number
            restart(after: down)
        case .replaceDatabases(let number): replaceDatabases(with: number)
        case .useLocalDatabases(let areLocal, let down): try useLocalDatabases(areLocal, down: down)
        case .diskFails(let time): disk.failsUntil = now + time
        case .diskSlow(let time): disk.slowUntil = now + time
        case .readsFail(let time): disk.readsFailUntil = now + time
        case .lists(let numbers):
            let first = plan.addresses.count - plan.listed
            listed = Set(numbers.map { plan.addresses[first + $0] })
            readLists()
        case .listsUnreadable: try handle(.listsRead(ListReading([], isComplete: false)))
        case .ask(let client, let question): try ask(client, question)
        case .replaceAroundWindowEnd(let numbers):
            replace(numbers) { place, prng in place == 0 ? nil : .milliseconds(prng.number(-8_000...4_000)) }
        case .replyAcrossWindowEnd(let numbers):
            awaited[.replyAcrossWindowEnd] = .seconds(20)
            replace(numbers) { place, prng in
                switch place {
                case 0: nil
                case 1: .milliseconds(prng.number(-4_000...0))
                case 2: .milliseconds(prng.number(0...3_000))
                default: .milliseconds(prng.number(4_000...16_000))
                }
            }
        case .refusalAcrossWindowEnd(let numbers):
            awaited[.refusalAcrossWindowEnd] = .zero
            replace(numbers) { place, prng in
                switch place {
                case 0: nil
                case 1: .milliseconds(prng.number(-4_000...0))
                case 2, 3: .milliseconds(prng.number(0...1_000))
                default: .milliseconds(prng.number(6_000...16_000))
                }
            }
        case .lookUpAroundWindowEnd(let numbers):
            try ask(0, .show([numbers[0]], wait: .zero))
            guard let rest = provider.windowRest(of: .single, at: now) else { return }
            for number in numbers.dropFirst() {
                let time = now + (rest + .milliseconds(prng.number(-3_000...8_000)))
                eventQueue.add(.ask(client: 0, .show([number], wait: .zero)), at: max(now, time))
            }
        case .crashAcrossWindowEnd(let numbers):
            awaited[.crashAcrossWindowEnd] = .seconds(30)
            replace(numbers) { place, prng in
                switch place {
                case 0: nil
                case 1: .milliseconds(prng.number(-12_000...(-10_000)))
                default: .milliseconds(prng.number(1_000...16_000))
                }
            }
        case .replyAfterRequestedWait(let numbers, let wait):
            awaited[.replyAfterRequestedWait] = wait
            // The addresses are added after the end of the window, so that the quota allows at least the first calls.
            replace(numbers) { place, _ in .seconds(2 + place) }
        }
    }

    /// Changes the limit of an endpoint, unless there is none. All limits are below those of the free tier.
    private mutating func changeLimit(of endpoint: Call.Endpoint, to limit: Int) {
        guard let old = provider.model.quota(of: endpoint), limit != old else { return }
        coverage.count(limit > old ? "limit raised" : "limit lowered")
        providers[configured].model.setQuota(limit, of: endpoint)
    }

    mutating func suspend(for time: Duration) {
        machine.suspend(until: now + time)
        eventQueue.add(.wake, at: now + time)
    }

    /// Returns the duration of the act that waits for a trigger, and removes the act; nil if there is none.
    mutating func handle(_ trigger: Trigger) -> Duration? {
        guard !isQuiet, let time = awaited.removeValue(forKey: trigger) else { return nil }
        coverage.count(trigger.rawValue)
        return time
    }

    /// Removes each of these addresses and adds it again, at a time relative to the end of the current quota window. If
    /// no window is open, the time is relative to the end of a window that would open now.
    ///
    /// - Parameter offset: the offset for an index in `numbers`; nil for now, so that this call opens a window if none
    ///   is open.
    private mutating func replace(_ numbers: [Int], at offset: (_ place: Int, inout Random) -> Duration?) {
        guard let rest = provider.windowRest(of: .single, at: now) else { return }
        // A client with an open `Monitor` call sends no other calls.
        if clients[Self.administrator].isListening { hangUp(Self.administrator) }
        for (place, number) in numbers.enumerated() {
            let time = offset(place, &prng).map { max(now, now + (rest + $0)) } ?? now
            eventQueue.add(.ask(client: Self.administrator, .remove([number])), at: time)
            eventQueue.add(.ask(client: Self.administrator, .add([number])), at: time)
        }
    }

    // MARK: Watch-list files

    /// Schedules a reload of the watch-list files, as at startup or on request. The reload reads the content that the
    /// files have at that later time.
    ///
    /// - Parameter request: the client's request that caused the reload.
    mutating func readLists(for request: Request.ID? = nil, isForced: Bool = false, isPreview: Bool = false) {
        guard let run else { return }
        eventQueue.add(
            .readLists(run: run.number, request, isForced: isForced, isPreview: isPreview),
            at: now + prng.duration(.microseconds(100), .milliseconds(50)))
    }

    /// Passes the files' content to the core, if the process that scheduled the reload is still running.
    mutating func listsRead(
        for request: Request.ID?, isForced: Bool, isPreview: Bool, run number: Int
    ) throws(Violation) {
        guard number == run?.number else { return }
        let lines = listed.sorted().map { ListedAddress(address: $0) }
        let reading = ListReading(
            lines, for: request, isForced: isForced, isPreview: isPreview, linesPerPortion: 5)
        guard !isPreview else { return try handle(.listsRead(reading)) }
        listsRead += 1
        // A reload without addresses may be refused. It is then unknown which addresses of earlier reloads are still on
        // the list.
        listedThen = listed.isEmpty && !isForced ? nil : listed
        eventQueue.add(.checkLists(run: number, reading: listsRead), at: now + Self.listing)
        try handle(.listsRead(reading))
    }

    /// The maximum time until a reload is on disk, unless the disk has faults.
    private static let listing = Duration.seconds(20)

    /// Checks the watch list on disk some time after a reload, unless a fault or a later reload intervened.
    mutating func checkLists(_ number: Int, reading: Int) throws(Violation) {
        let slow = max(disk.slowUntil, machine.asleepUntil)
        guard let run, run.number == number, !run.isStopping, reading == listsRead, now - slow > Self.listing,
            now - disk.failsUntil > .seconds(60) + Self.listing, let listedThen
        else { return }
        coverage.count("checked: lists")
        try promises.checkLists(listedThen, of: plan.addresses.suffix(plan.listed), disk: disk, at: now)
    }
}
