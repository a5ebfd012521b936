import ProviderModel
import RecordKeeping

/// The promises of the daemon, checked from outside: against replies to clients, requests to the provider, and data on
/// disk. The checks do not depend on the daemon's internal decisions.
struct Promises {
    let interval: Duration
    private(set) var standings: [IPAddress: Standing] = [:]
    var pins: [IPAddress: Standing] = [:]
    /// The number of changes to an address when its pin was last requested. A client that reads late may receive the
    /// reply for a pin that has since been removed with its entry.
    var changesWhenPinned: [IPAddress: Int] = [:]
    /// The number of network losses among the kept events.
    private(set) var losses = 0
    /// The time of the call for the record on disk.
    private(set) var scans: [IPAddress: ScanTime] = [:]
    /// The times at which the current process sent calls for an address, in nanoseconds of the daemon's boot clock,
    /// each with the state of the clocks at that time.
    private var sent: [IPAddress: [Int64: SimulatedMachine.Clocks]] = [:]
    /// The last answers that the current process received about each address, by the time at which their calls were
    /// sent, in nanoseconds of the daemon's boot clock.
    private var answers: [IPAddress: [Int64: (answer: Answer, version: DataVersion.ID?)]] = [:]
    /// The addresses of the calls in flight.
    private(set) var inFlight: [IPAddress: Call.ID] = [:]
    /// The time at which the last call ended.
    private(set) var lastCallEnd = Moment.start
    /// Whether a call failed as if there were no route, and the route has not been checked since.
    private var isRouteInDoubt = false
    /// The kinds of all events that were ever kept, in the order of their seqs, which begin at 1.
    private var kept: [PublishedEvent.Kind] = []
    private var lastRouteEvent: PublishedEvent.Kind?
    /// The last state of the route in the journal, which outlives the process.
    private(set) var isReportedLost = false
    var history = HistoryPromises()
    var openRequests = OpenRequests()
    var endpoints = EndpointPromises()
    /// The time of the current process's last call for each address.
    private(set) var lastSent: [IPAddress: Moment] = [:]
    /// The times of the last failed and the last successful call of the current process; nil if there was none.
    private(set) var lastFailure: Moment?
    private(set) var lastSuccess: Moment?
    /// The contention of each endpoint; nil while there is none.
    var contentions: [Call.Endpoint: Contention] = [:]
    /// The running time of the machine before which a temporary watch must not end.
    var minWatchEnds: [IPAddress: Duration] = [:]
    /// The source of the current process's records, and the time since which it uses this source.
    var source = Source.remote
    var dataChangedAt = Moment.start
    /// The last change of the local databases while the current process runs; nil if there was none.
    var dataReplacedAt: Moment?
    /// The start of the last process whose provider was local. It deletes records of the provider on the network that
    /// were only looked up, because these are not current.
    private var localSince: Moment?
    /// The time at which the current network loss was logged; nil while there is none.
    private var reportedLostAt: Moment?

    init(interval: Duration, keepHistory: Duration) {
        self.interval = interval
        history.retention = keepHistory
    }

    func standing(of address: IPAddress) -> Standing { standings[address] ?? Standing() }

    func broken(_ promise: String, _ details: String, _ now: Moment) -> Violation {
        Violation(promise: promise, details: details, moment: now)
    }

    // MARK: Changes by clients

    /// Handles a request to add or remove addresses, before its reply.
    mutating func asked(_ addresses: Set<IPAddress>) {
        for address in addresses { standings[address, default: Standing()].begin() }
    }

    /// Handles the reply to a request to add or remove addresses, and checks that an acknowledged change is on disk. A
    /// removed address stays on the list while a host name has it.
    ///
    /// - Parameter isWatched: the acknowledged state; nil if the change was refused.
    mutating func answered(
        _ addresses: Set<IPAddress>, isWatched: Bool?, disk: SimulatedDisk, at now: Moment
    ) throws(Violation) {
        for address in addresses.sorted() {
            standings[address, default: Standing()].end(isWatched)
            guard let isWatched, standing(of: address).isAlone, !standing(of: address).isUncertain else { continue }
            guard disk.isWatched(address) == (isWatched || disk.isNamed(address)) else {
                throw broken(
                    "an acknowledged change is on disk",
                    "\(address) is \(isWatched ? "not on" : "still on") the list on disk", now)
            }
        }
    }

    /// Handles the loss of the connection before the reply.
    ///
    /// - Parameter mayComeLate: whether the client has hung up, so that the daemon may still read its request.
    mutating func lost(_ addresses: Set<IPAddress>, mayComeLate: Bool) {
        for address in addresses { standings[address, default: Standing()].loseAnswer(mayComeLate: mayComeLate) }
    }

    /// Checks that no acknowledged change is lost or undone, by a crash or otherwise.
    func checkDisk(_ disk: SimulatedDisk, at now: Moment) throws(Violation) {
        for (address, standing) in standings.sorted(by: { $0.key < $1.key }) where standing.isResolved {
            guard disk.isWatched(address) == (standing.isWatched || disk.isNamed(address)) else {
                let what = standing.isWatched ? "was added but is missing" : "was removed but is back"
                throw broken("an acknowledged change is never lost", "\(address) \(what)", now)
            }
        }
    }

    /// Checks that, of the addresses that no client adds, exactly those in the files or of host names are watched.
    func checkLists(
        _ standing: Set<IPAddress>, of all: ArraySlice<IPAddress>, disk: SimulatedDisk, at now: Moment
    ) throws(Violation) {
        for address in all {
            guard disk.isWatched(address) == (standing.contains(address) || disk.isNamed(address)) else {
                let what = standing.contains(address) ? "is in a file but not watched" : "is watched without a source"
                throw broken("the watch list matches the files", "\(address) \(what)", now)
            }
        }
    }

    // MARK: Calls

    /// The time within which a route check is answered and its event committed and logged while the disk is prompt.
    private static let logging = Duration.milliseconds(250)

    /// Checks that a call is permitted: the daemon is online, no address of the call is in flight, and the call is not
    /// too soon.
    mutating func called(
        _ call: Call, _ machine: SimulatedMachine, routes: SimulatedRoutes, disk: SimulatedDisk, debounce: Duration,
        runSince: Moment,
        at now: Moment
    ) throws(Violation) {
        // The loss and the return of the route are logged only after the commits of the events, and calls do not wait
        // for these commits. So the route may have returned before its loss was logged, and may be lost again. While
        // the disk is slow, the log lags behind. If the name now resolves to an address without a route, there may
        // still be a route to the addresses that the daemon checks.
        let isPrompt = now - max(disk.slowUntil, disk.failsUntil) > .seconds(70)
        let hasReturned = reportedLostAt.map { $0 < max(routes.since, routes.lastOpened + Self.logging) } ?? true
        guard !isPrompt || routes.isOpen || !routes.isChecked || hasReturned else {
            throw broken("no call while offline", "call \(call.id.number) was sent after the alert", now)
        }
        let grace = debounce + .seconds(1)
        // If only the new address of a moved provider lacks a route, one of the next calls detects this.
        if !routes.isOpen, routes.isChecked, now - max(routes.sinceChecked, runSince, machine.asleepUntil) > grace {
            throw broken("no call while offline", "there has been no route since \(routes.since)", now)
        }
        guard !isRouteInDoubt else {
            throw broken("no call while offline", "the route was not checked after the last failed call", now)
        }
        try began(call, machine, at: now)
        for address in call.addresses {
            guard let scan = lastRemoteScan(of: address), let age = scan.age(at: now, on: machine) else { continue }
            guard age >= interval - scan.error(on: machine) else {
                throw broken("no call before the interval ends", "the next call for \(address) came after \(age)", now)
            }
        }
    }

    /// Returns the last scan of an address by the provider on the network; nil if a process with local databases may
    /// have deleted its record since then.
    func lastRemoteScan(of address: IPAddress) -> ScanTime? {
        guard let scan = scans[address], scan.version == nil, localSince.map({ scan.moment > $0 }) ?? true else {
            return nil
        }
        return scan
    }

    /// Notes a call, and checks that no address of the call is in flight.
    mutating func began(_ call: Call, _ machine: SimulatedMachine, at now: Moment) throws(Violation) {
        guard Set(call.addresses).count == call.addresses.count else {
            throw broken("at most one call in flight per address", "call \(call.id.number) repeats an address", now)
        }
        for address in call.addresses {
            guard inFlight.updateValue(call.id, forKey: address) == nil else {
                throw broken("at most one call in flight per address", "\(address) is already in flight", now)
            }
            sent[address, default: [:]][machine.instant(at: now).boot.nanoseconds] = machine.clocks
            lastSent[address] = now
        }
    }

    /// Handles the end of a call: its reply, failure or cancellation.
    mutating func ended(_ id: Call.ID, at now: Moment, mayBeTheRoute: Bool = false, succeeded: Bool = false) {
        lastCallEnd = now
        if succeeded { lastSuccess = now } else { lastFailure = now }
        inFlight = inFlight.filter { $0.value != id }
        if mayBeTheRoute { isRouteInDoubt = true }
    }

    /// Handles the answers of a reply.
    mutating func answered(_ reply: Reply) {
        for (address, element) in reply.answers {
            guard case .answered(let answer) = element else { continue }
            answers[address, default: [:]][reply.sentAt.boot.nanoseconds] = (answer, reply.version?.id)
            if let oldest = answers[address]?.keys.min(), answers[address]?.count ?? 0 > Self.maxAnswers {
                answers[address]?[oldest] = nil
            }
        }
    }

    /// The number of answers about an address that a commit may still contain.
    private static let maxAnswers = 8

    /// Handles the result of a route check.
    mutating func routeCheckRequested() {
        isRouteInDoubt = false
    }

    /// Checks that the provider did not refuse a request whose limit the daemon knew.
    ///
    /// - Parameter before: the number of refusals before this request.
    func checkProvider(
        _ provider: SimulatedProvider, before: Int, isReported: Bool, at now: Moment
    ) throws(Violation) {
        guard provider.model.offences == before || !isReported else {
            throw broken("the quota is never exceeded", "the provider refused a request", now)
        }
    }

    // MARK: Commits

    /// Checks the record of an address after a commit that has written the record or its time.
    mutating func scanned(
        _ address: IPAddress, _ disk: SimulatedDisk, _ machine: SimulatedMachine, at now: Moment
    ) throws(Violation) {
        // The same commit may have removed the entry.
        guard let scan = disk.entry(address)?.scan else { return }
        try checkOwner(of: scan, address, at: now)
        if let clocks = sent[address]?[scan.at.boot.nanoseconds] {
            let given = answers[address]?[scan.at.boot.nanoseconds]
            guard given?.answer == scan.answer, given?.version == scan.version else {
                throw broken(
                    "a record is the answer of its call", "the record of \(address) is not that of \(scan.at)", now)
            }
            try checkSpan(of: scan, address, machine, at: now)
            let moment = machine.moment(of: scan.at.boot)
            scans[address] = ScanTime(moment: moment, wall: scan.at.wall, version: scan.version, clocks: clocks)
        } else if scans[address]?.wall != scan.at.wall {
            // A record that is written again keeps its age.
            throw broken(
                "a record's age is measured from its call", "the record of \(address) has the time \(scan.at)", now)
        }
    }

    /// Checks and notes an event of a commit.
    mutating func note(_ event: PublishedEvent, at now: Moment) throws(Violation) {
        guard let seq = event.seq, seq == kept.count + 1 else {
            throw broken("events are numbered without gaps", "\(event.kind) has the number \(event.seq ?? 0)", now)
        }
        kept.append(event.kind)
        guard event.kind == .networkLost || event.kind == .networkRestored else { return }
        guard event.kind != lastRouteEvent, lastRouteEvent != nil || event.kind == .networkLost else {
            throw broken("each loss and each return is reported once", "\(event.kind) twice in a row", now)
        }
        lastRouteEvent = event.kind
        if event.kind == .networkLost { losses += 1 }
    }

    // MARK: Replies and alerts

    /// Handles the startup of a process.
    ///
    /// - Parameters:
    ///   - health: the health of the endpoints that it restores.
    ///   - source: the source of its records.
    mutating func began(restoring health: [SavedHealth], from source: Source, at now: Moment) {
        (self.source, dataChangedAt, dataReplacedAt) = (source, now, nil)
        if case .local = source { localSince = now }
        for address in standings.keys { standings[address]?.forgetLate() }
        for address in pins.keys { pins[address]?.forgetLate() }
        (sent, answers) = ([:], [:])
        inFlight = [:]
        (lastSent, lastFailure, lastSuccess) = ([:], nil, nil)
        (openRequests, contentions) = (OpenRequests(), [:])
        endpoints.processBegan(restoring: health, at: now)
        isRouteInDoubt = false
        reportedLostAt = nil
        // A loss that was logged while the disk failed, and was never stored, is unknown to the next process.
        if lastRouteEvent != .networkLost { isReportedLost = false }
    }

    /// Handles a log entry.
    mutating func announced(_ event: PublishedEvent, at now: Moment) {
        history.logged(event)
        guard event.kind == .networkLost || event.kind == .networkRestored else { return }
        isReportedLost = event.kind == .networkLost
        reportedLostAt = isReportedLost ? now : nil
    }

    /// Checks that a listener with a cursor receives each kept event of these kinds once, in order, without gaps.
    func heard(
        _ seq: Int64, after cursor: Int64, of kinds: Set<PublishedEvent.Kind>, at now: Moment
    ) throws(Violation) {
        guard seq <= kept.count else { throw broken("reported data is on disk", "event \(seq) was not kept", now) }
        guard seq > cursor, !kept[Int(cursor)..<Int(seq) - 1].contains(where: kinds.contains) else {
            throw broken("each event is received once and in order", "event \(seq) came after \(cursor)", now)
        }
    }
}
