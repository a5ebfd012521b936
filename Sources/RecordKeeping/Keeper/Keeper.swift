/// The whole of the daemon's mind: what it keeps, what is due, what may be asked, and who is to be told.
///
///     var keeper = Keeper(settings: settings, seed: 1, startedAt: now)
///     let effects = keeper.handle(.restored(restored), at: now)
///
/// It is a value that reads no clock, draws no random number but from its seed, and touches nothing: the same events at the
/// same instants give the same effects. The shells around it turn what happens into events and carry the effects out, all of
/// one event before the next event.
///
/// What holds between any two events:
/// 1. An entry is in exactly one place: resting (with a deadline in `schedule`, unless it needs none), in exactly one of
///    the queues of `due`, in exactly one call of `flights`, or settling in `ledger`.
/// 2. Nothing is answered or told that is not on disk (`ledger`).
/// 3. What is in `flights` is counted as in flight in the quota of its endpoint, and nothing else is.
/// 4. At most one commit is being drafted, written or applied (`ledger`). A large one is drafted before it is written, and
///    applied and published once it is on disk, in portions with turns of others between them: an entry is then either as it
///    was before the commit or as it is after, and a change is answered once all of its entries are as they are after.
/// 5. The effects of one event are bounded, whatever the number of entries in a change and of listeners.
package struct Keeper: Sendable {
    /// A call under way.
    struct Flight: Sendable {
        let call: Call
        let sentAt: BootTime
        /// Given up because the way was lost or the daemon stops: what comes of it says nothing of the provider.
        var isCancelled = false
    }

    enum Phase: Hashable, Sendable {
        /// Nothing is known until the store was read.
        case starting
        case running
        /// Nothing new is begun; what is under way ends.
        case stopping
        case finished
    }

    let settings: Settings
    let startedAt: Instant
    var random: Random
    var phase = Phase.starting

    var slots = Slots()
    var tally = Tally()
    /// The one schedule of all deadlines; what is due leaves it for one of the queues.
    var schedule = Schedule()
    var due = DueQueues()
    /// Until when what falls due is gathered; nil while nothing is due.
    var gatherUntil: BootTime?

    var quotas: [Call.Endpoint: Quota]
    var provider: ProviderHealth
    var flights: [Call.ID: Flight] = [:]
    var lastCall: Int64 = 0
    /// Failures whose cause is not settled: the kernel is being asked whether the way was gone.
    var unjudged: [(flight: Flight, failure: CallFailure)] = []

    var connectivity = Connectivity()
    var outages = OutageLog()
    var audience = Audience()
    /// Who stands where in the list; and those that are being looked for in it.
    var catalogue = Catalogue()
    var listings: [Request.ID: Listing] = [:]
    /// The addresses whose entries the reply to a request still lacks.
    var showings: [Request.ID: ArraySlice<IPAddress>] = [:]
    var ledger = Ledger()
    /// Maximum number of changes that disk work may make in the turn of one event.
    let changesPerTurn: Int
    /// Changes that are left in the turn of this event. The last portion of a turn may exceed the limit.
    var changesLeft = 0
    /// Whether a turn was requested and has not begun: until then disk work waits.
    var isTurnScheduled = false
    var retention = HistoryRetention()
    /// Whether alerts were logged since the mark of the last logged alert was saved.
    var isAlertMarkOutdated = false

    /// Requests whose reading of the lists has not come yet.
    var readingRequests: [Request.ID] = []
    /// Whether the watch list has entries of watch-list files, as the database says; nil if it does not.
    var hasFileEntries: Bool?

    private var effects: [Effect] = []
    private var armed: BootTime?
    private var described: Summary?

    /// - Parameters:
    ///   - seed: where all jitter comes from; any number.
    ///   - now: when the daemon started, as `Status` tells it.
    ///   - changesPerTurn: greater than 0; simulations use a smaller value, because their lists are short.
    package init(
        settings: Settings, seed: UInt64, startedAt now: Instant, changesPerTurn: Int = Limits.changesPerTurn
    ) {
        self.settings = settings
        self.changesPerTurn = changesPerTurn
        startedAt = now
        random = Random(seed: seed)
        quotas = Dictionary(
            uniqueKeysWithValues: Call.Endpoint.allCases.map {
                ($0, Quota(endpoint: $0, documented: settings.documentedLimits[$0]))
            })
        provider = ProviderHealth(since: now.wall)
    }

    /// Takes in what happened, and tells what to do about it.
    ///
    /// - Parameter now: never before that of the event before, on the boot clock.
    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        changesLeft = changesPerTurn
        switch event {
        case .restoring(let entries, let count): restore(entries, of: count, at: now)
        case .restored(let restored): restore(restored, at: now)
        case .listsRead(let reading): listsRead(reading)
        case .listsUnreadable(let request, let reason): listsUnreadable(request, reason)
        case .requested(let request): take(request, at: now)
        case .clientLeft(let peer): leave(peer)
        // The timer has fired, or may fire at the wrong time: it is armed anew in any case.
        case .deadlineReached, .clockStepped: armed = nil
        case .replied(let id, let reply): replied(id, reply, at: now)
        case .callFailed(let id, let failure): failed(id, failure, at: now)
        case .committed(let id): committed(id, at: now)
        case .commitFailed(let id, let reason): commitFailed(id, reason, at: now)
        case .noticesRead(let request, let page): noticesRead(request, page)
        case .changesRead(let request, let notices): emit(.answer(request, .changes(notices)))
        case .outagesRead(let request, let read): outagesRead(request, read)
        case .unreadable(let request, let reason): unreadable(request, reason)
        case .resumed(let request):
            goOnListing(request, at: now)
            goOnShowing(request, at: now)
        case .turnBegan: isTurnScheduled = false
        case .routesChanged: routesChanged(at: now)
        case .wayAnswered(let epoch, let way): wayAnswered(way, epoch: epoch, at: now)
        case .resolved(let addresses): resolved(addresses)
        case .terminating: terminate(at: now)
        }
        proceed(at: now)
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    /// Does what is due at this instant, whatever the event was.
    private mutating func proceed(at now: Instant) {
        guard phase != .starting else { return }
        while let number = schedule.popDue(at: now.boot) {
            ring(Alarm(number: number), at: now)
        }
        flush(at: now)
        dispatch(at: now)
        // What is about to be sent is spent on disk first.
        flush(at: now)
        finishIfDone(at: now)
        describe()
        arm()
    }

    private mutating func ring(_ alarm: Alarm, at now: Instant) {
        switch alarm {
        case .settled: askWay()
        case .entry(let slot): deadlineReached(slot, at: now)
        case .caller(let index): answerCaller(index, at: now)
        case .stopLimit: giveUpCalls()
        // What was waited for has come: `dispatch` and `flush` look at the time themselves.
        case .gathered, .providerRetry, .windowOver, .storeRetry: break
        }
    }

    // MARK: What is handed out

    mutating func emit(_ effect: Effect) {
        effects.append(effect)
    }

    private mutating func arm() {
        let earliest = phase == .finished ? nil : schedule.earliest
        guard earliest != armed else { return }
        armed = earliest
        emit(.arm(earliest))
    }

    private mutating func describe() {
        let summary = Summary(
            watched: tally.watched, offlineSince: connectivity.loss?.since, provider: provider.state)
        guard summary != described else { return }
        described = summary
        emit(.describe(summary))
    }
}
