/// The state of the daemon and all of its decisions: which addresses are watched, which are due, which calls the quota
/// allows, and which replies and events are sent.
///
///     var keeper = Keeper(settings: settings, seed: 1, startedAt: now)
///     let effects = keeper.handle(.restored(restored), at: now)
///
/// The keeper is a value that reads no clock, draws random numbers only from its seed, and performs no input or output:
/// the same events at the same instants give the same effects. The shells report events to the keeper, and perform all
/// effects of one event before the keeper handles the next.
///
/// Invariants between any two events:
/// 1. An entry is in exactly one place: resting (with a deadline in `schedule`, unless it needs no calls, or its
///    record is current until the local databases change), in one queue
///    of `due`, in one call of `flights` or `uncheckedFailures`, or committing (`commitQueue`).
/// 2. A change is acknowledged, and a record or a kept event is sent to a client, only after its commit
///    (`commitQueue`). Alerts about the route and the provider are logged even if their commit fails.
/// 3. The calls in `flights` are those that the quota of their endpoint counts as in flight.
/// 4. At most one commit is being prepared, written or applied (`commitQueue`). A large commit is prepared, applied and
///    published in portions, and other clients are served in between. Clients see each entry either as it was before
///    the commit or as it is after the commit, and a change is acknowledged once all of its entries are applied.
/// 5. The effects of one event are bounded, regardless of the number of entries in a change and of listeners.
package struct Keeper: Sendable {
    /// A call in flight.
    struct Flight: Sendable {
        let call: Call
        /// The slot indices of the addresses, at the time when the call was sent.
        let slots: [Int]
        let sentAt: BootTime
        /// Whether the call was cancelled, because the route was lost or the daemon is shutting down. The result of a
        /// cancelled call shows nothing about the provider.
        var isCancelled = false
    }

    enum Phase: Hashable, Sendable {
        /// The store has not been read yet.
        case starting
        case running
        /// Calls, commits and queued changes are completed; no new ones are accepted.
        case stopping
        case finished
    }

    let settings: Settings
    /// How long records are current. Local databases can change at any time.
    var validity: Validity
    let startedAt: Instant
    var random: Random
    var phase = Phase.starting

    var slots = Slots()
    /// The indices of the stored cohorts, by their ids, while entries are being restored.
    var restoredCohorts: [CohortID: UInt32] = [:]
    /// Stored entries that are to be deleted from the store: lookups without a record, and duplicate entries for an
    /// address.
    var obsoleteEntries: [EntryID] = []
    /// The stored entries that could not be read, by their address. A new entry for the address replaces the stored
    /// one.
    var unreadableEntries: [IPAddress: EntryID] = [:]
    var tally = Tally()
    /// The index of the next slot to check since the local databases have changed; nil if all have been checked.
    var nextSlotOfDataChange: Int?
    /// All deadlines. A due entry moves from here to a queue of `due`.
    var schedule = Schedule()
    var due = DueQueues()
    var lookupOwners = LookupOwners()
    /// The time until which due addresses are collected for one call; nil until an address is due for the first time.
    var gatherUntil: BootTime?

    var quotas: [Call.Endpoint: Quota]
    var provider: ProviderHealth
    var flights: [Call.ID: Flight] = [:]
    var lastCall: Int64 = 0
    /// Failed calls whose cause is unknown until the current route check is answered.
    var uncheckedFailures: [(flight: Flight, failure: CallFailure)] = []

    var connectivity: Connectivity
    var resolution = NameResolution()
    var outages = OutageLog()
    /// The watched host names.
    var names = NameTable()
    var waiters = Waiters()
    var subscriptions = Subscriptions()
    /// The watched addresses, in list order.
    var listOrder = ListOrder()
    /// Requests whose filters need changes from the store.
    var selections: [Request.ID: Selection] = [:]
    /// `List` requests that are not completely answered.
    var listings: [Request.ID: Listing] = [:]
    /// `History` requests whose changes are being read.
    var histories: [Request.ID: HistoryReading] = [:]
    /// `Count` requests that are not answered yet.
    var countings: [Request.ID: Counting] = [:]
    /// The addresses whose entries have not been sent yet, for each `Show` request that is answered in portions.
    var showings: [Request.ID: ArraySlice<IPAddress>] = [:]
    var commitQueue = CommitQueue()
    /// Maximum number of changes that are prepared, applied or published while one event is handled.
    let changesPerTurn: Int
    /// Changes left for the current event. The last portion may exceed the maximum.
    var changesLeft = 0
    /// Whether a turn is scheduled and has not begun. No changes are prepared, applied or published until it begins.
    var isTurnScheduled = false
    var retention = HistoryRetention()
    /// Whether alerts have been logged since the last mark of logged alerts was saved.
    var isAlertMarkOutdated = false

    /// Reload requests whose lists have not been read yet.
    var readingRequests: [Request.ID] = []
    /// The reloads that are being previewed, each for one request; at most `Limits.previews`.
    var previews: [PendingReading] = []
    /// Whether the watch list has entries from watch-list files, according to the database; nil if the database does
    /// not contain this information.
    var hasFileEntries: Bool?

    var counters = Counters()

    private var effects: [Effect] = []
    /// The deadline of the last `.arm`; nil if the timer has fired or is stopped.
    private var armed: BootTime?
    /// The summary of the last `.describe`.
    private var described: Summary?

    /// - Parameters:
    ///   - seed: any number; determines all jitter.
    ///   - now: the time at which the daemon started, as `Status` returns it.
    ///   - changesPerTurn: greater than 0; simulations, whose lists are short, also use values below the default.
    package init(
        settings: Settings, seed: UInt64, startedAt now: Instant, changesPerTurn: Int = Limits.changesPerTurn
    ) {
        self.settings = settings
        self.changesPerTurn = changesPerTurn
        startedAt = now
        random = Random(seed: seed)
        switch settings.providerKind {
        case .remote(let documentedLimits):
            validity = .interval(nanoseconds: settings.intervalNanoseconds)
            quotas = Self.quotas { Quota(endpoint: $0, documented: documentedLimits[$0]) }
            connectivity = Connectivity()
        case .local(let version):
            validity = .version(version)
            quotas = Self.quotas { Quota(endpoint: $0, documented: nil, window: .unlimited) }
            connectivity = Connectivity(unneededSince: now.wall)
        }
        provider = ProviderHealth(since: now.wall)
    }

    private static func quotas(_ make: (Call.Endpoint) -> Quota) -> [Call.Endpoint: Quota] {
        Dictionary(uniqueKeysWithValues: Call.Endpoint.allCases.map { ($0, make($0)) })
    }

    /// Handles an event, and returns the effects to perform, in order.
    ///
    /// - Parameter now: the current time, whose boot time is not before that of the previous event.
    package mutating func handle(_ event: Event, at now: Instant) -> [Effect] {
        changesLeft = changesPerTurn
        switch event {
        case .restoring(let entries, let count): restore(entries, of: count, at: now)
        case .restored(let restored): restore(restored, at: now)
        case .listsRead(let reading): listsRead(reading, at: now)
        case .listsUnreadable(let request, let reason): listsUnreadable(request, reason)
        case .requested(let request): handle(request, at: now)
        case .clientLeft(let peer): leave(peer)
        // The timer has fired, or may fire too late, so it is armed again.
        case .deadlineReached, .clockStepped: armed = nil
        case .replied(let id, let reply): replied(id, reply, at: now)
        case .callFailed(let id, let failure): failed(id, failure, at: now)
        case .committed(let id): committed(id, at: now)
        case .commitFailed(let id, let reason): commitFailed(id, reason, at: now)
        case .eventsRead(let request, let page): eventsRead(request, page, at: now)
        case .changesRead(let request, let page): changesRead(request, page, at: now)
        case .outagesRead(let request, let read): emit(.answer(request, .outages(outages.updated(read))))
        case .nameEventsRead(let request, let events): emit(.answer(request, .nameEvents(events)))
        case .unreadable(let request, let reason): unreadable(request, reason)
        case .resumed(let request):
            goOnListing(request, at: now)
            goOnCounting(request, at: now)
            goOnShowing(request, at: now)
            goOnPreviewing(request, at: now)
        case .turnBegan: isTurnScheduled = false
        case .routesChanged: routesChanged(at: now)
        case .routeChecked(let epoch, let status): routeChecked(status, epoch: epoch, at: now)
        case .resolved(let addresses): resolved(addresses, at: now)
        case .providerDataChanged(let version): providerDataChanged(version)
        case .nameResolved(let name, let answer, let family): nameResolved(name, answer, unanswered: family, at: now)
        case .terminating: terminate(at: now)
        }
        proceed(at: now)
        counters.observe(outages.current, at: now.boot)
        defer { effects.removeAll(keepingCapacity: true) }
        return effects
    }

    /// Performs the work that is due at this time, regardless of the event.
    private mutating func proceed(at now: Instant) {
        guard phase != .starting else { return }
        while let id = schedule.popDue(at: now.boot) {
            fire(TimerID(id: id), at: now)
        }
        endWatches(at: now)
        flush(at: now)
        resolveNames(at: now)
        dispatch(at: now)
        // The reservations for the next calls are committed before the calls are sent.
        flush(at: now)
        finishIfDone(at: now)
        awaitWatchEnd(at: now)
        awaitNames()
        describe()
        arm()
    }

    private mutating func fire(_ timer: TimerID, at now: Instant) {
        switch timer {
        case .debounced: checkRoute(followsRouteEvent: true)
        case .doubtOver: doubtOver(at: now)
        case .resolution: resolveWhileLost(at: now)
        case .entry(let slot): deadlineReached(slot, at: now)
        case .caller(let index): answerCaller(index, at: now)
        case .stopLimit: cancelCalls()
        // `dispatch`, `flush`, `endWatches` and `resolveNames` check these deadlines themselves.
        case .watchEnd, .names, .gathered, .providerRetry, .windowOver, .storeRetry: break
        }
    }

    // MARK: Effects

    /// Adds an effect to those of the current event.
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
            watched: tally.watched, offlineSince: connectivity.loss?.since, provider: provider.worst.state)
        guard summary != described else { return }
        described = summary
        emit(.describe(summary))
    }
}
