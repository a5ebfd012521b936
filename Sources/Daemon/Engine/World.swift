import Dispatch
import IPAPI
import Logging
import RecordKeeping
import RecordStore
import RouteMonitor
import Systemd

/// Performs the keeper's effects through the shells, and posts their results as events.
///
/// Belongs to the engine's queue, and makes no decisions.
final class World {
    private let engine: Engine
    private let store: Store
    private let provider: ProviderShell
    /// The routes and the resolver of the name; nil for a local provider, which needs neither.
    private let routes: RouteMonitor?
    private let resolver: Resolver?
    private let clock: DeadlineTimer
    let server: ControlServer
    private let status: ServiceStatus
    /// The watchdog; nil if the service manager expects no pings.
    private let watchdog: Watchdog?
    private let memoryReclaimer: MemoryReclaimer
    /// The backup schedule; nil if no backups are made.
    private let backups: BackupSchedule?
    private let announcer: Announcer
    private let lists: ListReader
    private let databases: LocalDatabases
    private let logger: Logger
    private let finished: @Sendable () -> Void
    private let bootID = SystemClock.bootID
    private var calls: [Call.ID: Client.SentCall] = [:]

    /// - Parameters:
    ///   - backups: the number of backups to keep; with 0, none are made.
    ///   - finished: called once, when the keeper has completed its work after `.terminating`.
    init(
        engine: Engine, store: Store, provider: ProviderShell, backups: Int, server: ControlServer,
        notifier: Notifier, lists: ListReader, databases: LocalDatabases, logger: Logger,
        finished: @escaping @Sendable () -> Void
    ) {
        let queue = engine.executor.queue
        self.engine = engine
        self.store = store
        self.provider = provider
        self.server = server
        self.lists = lists
        self.databases = databases
        self.logger = logger
        self.finished = finished
        switch provider {
        case .remote(_, let host):
            routes = RouteMonitor(queue: queue) {
                engine.handleNow(.routesChanged)
            } onEventFailure: { reason in
                logger.warning("cannot monitor the kernel's routes; assuming that there is a route: \(reason)")
            } onRecovery: {
                logger.notice("the kernel's routes are monitored again")
            }
            resolver = Resolver(host: host)
        case .local: (routes, resolver) = (nil, nil)
        }
        clock = DeadlineTimer(
            queue: queue, onDeadline: { engine.handleNow(.deadlineReached) },
            onStep: { engine.handleNow(.clockStepped) })
        memoryReclaimer = MemoryReclaimer(queue: queue, wasBusy: { server.resetFreshReader() })
        self.backups =
            backups == 0
            ? nil
            : BackupSchedule(queue: queue, logger: logger) { () throws(StoreError) in
                let now = SystemClock.now.wall
                return try Backup.all(of: store.path).first { $0.madeAt <= now }.map { now - $0.madeAt }
            } backUp: {
                store.backUp(keeping: backups, at: SystemClock.now.wall, done: $0)
            }
        announcer = Announcer(queue: queue) { alert in
            logger.log(level: alert.level, "\(alert.message)", metadata: alert.fields)
        }
        status = ServiceStatus(queue: queue) {
            engine.assumeIsolated { $0.statusLine }
        } report: { line in
            logger.warnOnFailure { try notifier.status(line) }
        }
        watchdog = notifier.watchdogInterval.map { patience in
            Watchdog(patience: patience, queue: queue) { [store] in
                store.afterProgress($0)
            } ping: {
                logger.warnOnFailure { try notifier.keepAlive() }
            }
        }
    }

    /// Begins to accept clients, and starts the watchdog and the backup schedule.
    func open() {
        server.begin()
        watchdog?.begin()
        backups?.begin()
    }

    /// Logs held alerts, and stops the watchdog, the backup schedule, the server, the route monitor, the timer, and the
    /// watch on the local databases.
    func close() {
        watchdog?.cancel()
        backups?.cancel()
        announcer.end()
        server.end()
        routes?.cancel()
        clock.cancel()
        databases.end()
    }

    /// Prepares the shells for an event before the keeper handles it.
    func note(_ event: Event) {
        switch event {
        case .replied(let id, _), .callFailed(let id, _): calls[id] = nil
        case .committed:
            // Events of earlier commits are sent before the keeper publishes those of this commit.
            server.publishAll()
        case .terminating:
            // The last commit marks alerts as logged, so no alert may be held back any longer.
            announcer.end()
        default: break
        }
    }

    private func report(_ id: MessageID, _ level: Logger.Level, _ message: String) {
        logger.log(
            level: level, "\(message)", metadata: ["MESSAGE_ID": "\(id.text)", "IPRECORD_EVENT": "\(id.rawValue)"])
    }

    /// Performs the effects of one event, in order.
    func perform(_ effects: [Effect]) {
        for effect in effects { perform(effect) }
        memoryReclaimer.happened()
    }

    private func perform(_ effect: Effect) {
        switch effect {
        case .commit(let commit): write(commit)
        case .call(let call): send(call)
        case .cancel(let id): calls[id]?.cancel()
        case .checkRoute(let epoch, let targets):
            // The kernel answers at once. The answer is posted, so that it is handled as an event of its own.
            if let routes { engine.post(.routeChecked(epoch: epoch, routes.ask(targets))) }
        case .resolve:
            resolver?.resolve { [engine] in engine.post(.resolved($0)) }
        case .resolveName(let name):
            Resolver.resolve(name) { [engine] in engine.post(.nameResolved(name, $0, unanswered: $1)) }
        case .arm(let deadline):
            clock.arm(deadline)
            memoryReclaimer.armed(deadline)
            status.update()
        case .answer(let request, let response): server.answer(request, response)
        case .publish(let event, let entry, to: let requests): server.publish(event, entry, to: requests)
        case .scheduleTurn:
            // The turn begins when the events of the previous turn are sent, so that they do not accumulate in memory.
            server.whenPublished { [engine] in engine.post(.turnBegan) }
        case .readEvents(let request, let after, let limit): readEvents(request, after: after, limit: limit)
        case .readChanges(let request, let query):
            server.readInTurn(for: request) { [store] done in
                store.changes(query) { result in done(Self.read(result, for: request) { .changesRead(request, $0) }) }
            }
        case .readOutages(let request, let before, let limit):
            server.readInTurn(for: request) { [store] done in
                store.outages(before: before, limit: limit) { result in
                    done(Self.read(result, for: request) { .outagesRead(request, $0) })
                }
            }
        case .readNameEvents(let request, let name, let before, let limit):
            server.readInTurn(for: request) { [store] done in
                store.events(of: name, before: before, limit: limit) { result in
                    done(Self.read(result, for: request) { .nameEventsRead(request, $0) })
                }
            }
        case .readLists(let request, let isForced, let isPreview):
            lists.read(for: request, isForced: isForced, isPreview: isPreview)
        case .answerPart(let request, let response): server.answerPart(request, response)
        case .resume(let request): server.resume(request)
        case .announce(let event): announcer.announce(event)
        case .logRefusedReading(let listed):
            logger.error("the watch list is unchanged: \(RefusedReading(listed: listed))")
        case .logStoreFailure(let reason):
            report(.storeFailed, .error, "the database could not be written: \(reason)")
        case .logStoreRecovery: report(.storeRecovered, .notice, "the database is writable again")
        case .describe: status.update()
        case .finish: finished()
        }
    }

    private func write(_ commit: Commit) {
        store.commit(commit.markingAlerts(below: announcer.firstUnloggedSeq), bootID: bootID) { [engine] result in
            switch result {
            case .success:
                engine.post(.committed(commit.id))
            case .failure(let error):
                engine.post(.commitFailed(commit.id, "\(error)"))
            }
        }
    }

    private func send(_ call: Call) {
        let done = { @Sendable [engine, logger] (result: Result<Reply, CallFailure>) in
            switch result {
            case .success(let reply):
                engine.post(.replied(call.id, reply))
            case .failure(let failure):
                logger.debug("call \(call.id.number) failed: \(failure.kind.rawValue): \(failure.message)")
                engine.post(.callFailed(call.id, failure))
            }
        }
        switch provider {
        case .remote(let client, _): calls[call.id] = client.send(call, done: done)
        // Reading takes less time than a cancellation.
        case .local(let local): local.send(call, done: done)
        }
    }

    /// Reads kept events for a listener, after the listener has read most of the events sent before. Therefore, a
    /// listener that catches up with many kept events is not disconnected for having too many unread bytes.
    private func readEvents(_ request: Request.ID, after: Int64, limit: Int) {
        server.publishAll()
        server.whenRead(request) { [store, server] in
            server.readInTurn(for: request) { done in
                store.events(after: after, limit: limit) { result in
                    done(Self.read(result, for: request) { .eventsRead(request, $0) })
                }
            }
        }
    }

    private static func read<Found>(
        _ result: Result<Found, StoreError>, for request: Request.ID, _ event: (Found) -> Event
    ) -> Event {
        switch result {
        case .success(let found): event(found)
        case .failure(let error): .unreadable(request, "\(error)")
        }
    }
}
