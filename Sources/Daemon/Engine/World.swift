import Dispatch
import IPAPI
import Logging
import RecordKeeping
import RecordStore
import RouteMonitor
import Systemd

/// The shells around the keeper: each effect goes to the one that can carry it out, and what comes of it is posted.
///
/// Belongs to the engine's queue. It decides nothing.
final class World {
    private let engine: Engine
    private let store: Store
    private let client: Client
    private let routes: RouteMonitor
    private let resolver: Resolver
    private let clock: AlarmClock
    private let server: ControlServer
    private let status: ServiceStatus
    /// Nil where the service manager asks for no pings.
    private let watchdog: Watchdog?
    private let idleness: Idleness
    private let announcer: Announcer
    private var isStoreFailing = false
    private let lists: ListReader
    private let logger: Logger
    private let finished: @Sendable () -> Void
    private let bootID = SystemClock.bootID
    private var calls: [Call.ID: Task<Void, Never>] = [:]
    private let callQueue = TaskQueue(label: "iprecord.calls")

    /// - Parameter finished: called once, when the keeper has nothing left to do.
    init(
        engine: Engine, store: Store, client: Client, routes: RouteMonitor, resolver: Resolver, clock: AlarmClock,
        server: ControlServer, notifier: Notifier, lists: ListReader, logger: Logger,
        finished: @escaping @Sendable () -> Void
    ) {
        self.engine = engine
        self.store = store
        self.client = client
        self.routes = routes
        self.resolver = resolver
        self.clock = clock
        self.server = server
        self.lists = lists
        self.logger = logger
        self.finished = finished
        idleness = Idleness(queue: engine.executor.queue, wasBusy: { server.forgetGlances() })
        announcer = Announcer(queue: engine.executor.queue) { alert in
            logger.log(level: alert.level, "\(alert.message)", metadata: alert.fields)
        }
        status = ServiceStatus(queue: engine.executor.queue) {
            engine.assumeIsolated { $0.statusLine }
        } tell: { line in
            Self.tell(logger) { () throws(SystemdError) in try notifier.status(line) }
        }
        watchdog = notifier.watchdogInterval.map { patience in
            Watchdog(patience: patience, queue: engine.executor.queue) { [store] in
                store.afterCommits($0)
            } ping: {
                Self.tell(logger) { () throws(SystemdError) in try notifier.keepAlive() }
            }
        }
    }

    func open() {
        server.begin()
        watchdog?.begin()
    }

    /// Takes on nobody new.
    ///
    /// - Parameter done: called once everything that clients asked for before is with the engine.
    func stopTaking(_ done: @escaping @Sendable () -> Void) {
        server.stopTaking(done)
    }

    /// Ends the conversations with all clients.
    ///
    /// - Parameter done: called once they have been sent what they were answered, or do not take it.
    func dismissClients(_ done: @escaping @Sendable () -> Void) {
        server.dismissAll(done)
    }

    func close() {
        watchdog?.cancel()
        announcer.end()
        server.end()
        routes.cancel()
        clock.cancel()
    }

    /// A call that has ended needs no handle to cancel it by; and whether the disk takes what is written is told.
    func note(_ event: Event) {
        switch event {
        case .replied(let id, _), .callFailed(let id, _): calls[id] = nil
        case .committed:
            // What an earlier commit brought is told before what this one brings.
            server.tellAll()
            guard isStoreFailing else { return }
            isStoreFailing = false
            tell(.storeRecovered, .notice, "the store takes changes again")
        case .commitFailed(_, let reason):
            isStoreFailing = true
            tell(.storeFailed, .error, "the store took no change: \(reason)")
        default: break
        }
    }

    private func tell(_ id: MessageID, _ level: Logger.Level, _ message: String) {
        logger.log(
            level: level, "\(message)", metadata: ["MESSAGE_ID": "\(id.text)", "IPRECORD_EVENT": "\(id.rawValue)"])
    }

    func carryOut(_ effects: [Effect]) {
        var index = 0
        while index < effects.count {
            // Thousands of events come one after the other, and are handed over without looking at each.
            let end = effects[index...].firstIndex { !$0.isTelling } ?? effects.endIndex
            if end > index {
                server.tell(effects[index..<end])
                index = end
            } else {
                carryOut(effects[index])
                index += 1
            }
        }
        idleness.happened()
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .commit(let commit): write(commit)
        case .call(let call): send(call)
        case .cancel(let id): calls[id]?.cancel()
        case .askWay(let epoch, let targets):
            // The kernel answers at once; posted, so that it is an event of its own.
            engine.post(.wayAnswered(epoch: epoch, routes.ask(targets)))
        case .resolve:
            resolver.resolve { [engine] in engine.post(.resolved($0)) }
        case .arm(let deadline):
            clock.arm(deadline)
            idleness.armed(deadline)
            status.update()
        case .answer(let request, let response): server.answer(request, response)
        case .tell: server.tell([effect])
        case .readNotices(let request, let after, let limit): readNotices(request, after: after, limit: limit)
        case .readChanges(let request, let address, let before, let limit):
            store.changes(of: address, before: before, limit: limit) { [engine] result in
                engine.post(Self.read(result, for: request) { .changesRead(request, $0) })
            }
        case .readOutages(let request, let before, let limit):
            store.outages(before: before, limit: limit) { [engine] result in
                engine.post(Self.read(result, for: request) { .outagesRead(request, $0) })
            }
        case .readLists(let request): lists.read(for: request)
        case .answerPart(let request, let response): server.answerPart(request, response)
        case .resume(let request): server.resume(request)
        case .announce(let notice): announcer.announce(notice)
        case .describe: status.update()
        case .finish: finished()
        }
    }

    private func write(_ commit: Commit) {
        store.commit(commit, bootID: bootID) { [engine] result in
            switch result {
            case .success:
                engine.post(.committed(commit.id))
            case .failure(let error):
                engine.post(.commitFailed(commit.id, "\(error)"))
            }
        }
    }

    private func send(_ call: Call) {
        calls[call.id] = Task(executorPreference: callQueue) { [client, engine, logger] in
            switch await client.send(call) {
            case .success(let reply):
                engine.post(.replied(call.id, reply))
            case .failure(let failure):
                logger.debug("call \(call.id.number) failed: \(failure.kind.rawValue): \(failure.message)")
                engine.post(.callFailed(call.id, failure))
            }
        }
    }

    /// Who catches up with many is waited for: a listener is dropped for what it leaves unread of what happens now only.
    private func readNotices(_ request: Request.ID, after: Int64, limit: Int) {
        server.tellAll()
        server.whenRead(request) { [store, engine] in
            store.notices(after: after, limit: limit) { result in
                engine.post(Self.read(result, for: request) { .noticesRead(request, $0) })
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

    private static func tell(_ log: Logger, _ notify: () throws(SystemdError) -> Void) {
        do {
            try notify()
        } catch {
            log.warning("the service manager was not told: \(error)")
        }
    }
}

extension Effect {
    /// A listener is told an event.
    fileprivate var isTelling: Bool {
        if case .tell = self { true } else { false }
    }
}
