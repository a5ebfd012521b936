import CLinux
import Control
import Dispatch
import Foundation
import Glibc
import IPAPI
import Logging
import RecordKeeping
import RecordStore
import RouteMonitor
import Systemd

/// The daemon `iprecordd`: creates the keeper and the shells, runs them, and shuts them down.
package struct Daemon: Sendable {
    private let setup: Setup
    private let log: Logger

    /// Creates a daemon that logs to the journal or to standard error, depending on how the process was started.
    package init(_ setup: Setup) {
        self.setup = setup
        let destination = LogDestination.current
        var log = Logger(label: "iprecordd") { _ in destination.handler(identifier: "iprecordd") }
        // The level is valid, because it was checked when the configuration was read.
        log.logLevel = Logger.Level(rawValue: setup.configuration.logLevel) ?? .info
        self.log = log
    }

    /// Runs the daemon until a signal requests its shutdown.
    ///
    /// - Parameter activated: the sockets that the service manager passed.
    /// - Returns: the exit status.
    /// - Throws: an error with a human-readable description if the daemon cannot start or the store cannot be closed.
    func run(_ activated: [ActivatedSocket]) async throws -> Int32 {
        try setup.requireStart(hasActivatedSockets: !activated.isEmpty)
        let configuration = setup.configuration
        let provider = try Provider(
            endpoint: configuration.endpoint, language: configuration.language, key: try key())
        if let caution = provider.caution { log.warning("\(caution)") }
        try createUserDirectories()
        let notifier = Notifier()
        let progress = StartProgress { [log] in
            do {
                try notifier.extendTimeout(by: StartProgress.extensionTime)
            } catch {
                log.warning("the start timeout was not extended: \(error)")
            }
        }
        let store = try Store(path: configuration.storePath, onProgress: progress.report) { [log] in
            log.error("\($0)")
        }
        let sockets = try listeningSockets(activated)
        let executor = QueueExecutor(label: "iprecord.engine")
        let engine = Engine(
            executor: executor,
            keeper: Keeper(
                settings: Settings(configuration, provider), seed: .random(in: 0 ... .max),
                startedAt: SystemClock.now))
        let (restored, entries, unreadable) = try store.restore(
            at: SystemClock.now, bootID: SystemClock.bootID, onProgress: progress.report
        ) {
            progress.report()
            engine.restore($0, of: $1)
        }
        for row in unreadable { log.error("a row of the database could not be read and is ignored: \(row)") }
        let signals = try Signals()
        raiseDescriptorLimit()
        keepMemory()
        // Created here, and then used only on the engine's queue.
        nonisolated(unsafe) let poller = try Poller(queue: executor.queue)
        // From here on, nothing throws before the client and the engine have been shut down.
        let client = Client(provider: provider, timeout: configuration.timeout) { SystemClock.now }
        let finished = AsyncStream<Void>.makeStream()
        let lists = ListReader(engine: engine, log: log) { [setup] in try setup.lists() }

        await engine.begin { engine in
            makeWorld(
                engine: engine, store: store, client: client, provider: provider, sockets: sockets,
                poller: poller, notifier: notifier, lists: lists, finished: { finished.continuation.finish() })
        }
        engine.post(.restored(restored))
        lists.read()
        await engine.openForClients()
        // Signals are not handled earlier, because only a server that accepts clients can stop accepting them.
        signals.handle(
            on: engine.executor.queue,
            onTerminate: { [log] in
                log.info("stopping")
                report { () throws(SystemdError) in try notifier.stopping() }
                engine.terminateNow()
            },
            onReload: {
                report { () throws(SystemdError) in try notifier.reloading() }
                lists.read { report { () throws(SystemdError) in try notifier.ready() } }
            })
        let count = entries == 1 ? "1 entry" : "\(entries) entries"
        log.info("\(count) in \(configuration.storePath); listening on \(Self.names(of: sockets))")
        report { () throws(SystemdError) in try notifier.ready() }

        // This loop ends when the keeper has completed its work after `.terminating`.
        for await _ in finished.stream {}
        let dismissed = AsyncStream<Void>.makeStream()
        await engine.dismissClients { dismissed.continuation.finish() }
        for await _ in dismissed.stream {}
        await engine.end()
        await client.shutdown()
        try store.close()
        withExtendedLifetime(signals) {}
        log.info("stopped")
        return EXIT_SUCCESS
    }

    // MARK: Parts

    private func makeWorld(
        engine: isolated Engine, store: Store, client: Client, provider: Provider, sockets: [ListeningSocket],
        poller: Poller, notifier: Notifier, lists: ListReader, finished: @escaping @Sendable () -> Void
    ) -> World {
        let queue = engine.executor.queue
        let routes = RouteMonitor(queue: queue) {
            engine.handleNow(.routesChanged)
        } onEventFailure: { [log] reason in
            log.warning("cannot monitor the kernel's routes; assuming that there is a route: \(reason)")
        } onRecovery: { [log] in
            log.notice("the kernel's routes are monitored again")
        }
        let path = setup.configuration.storePath
        let endpoint = provider.endpoint
        let server = ControlServer(
            engine: engine, sockets: sockets, poller: poller, adminGroup: adminGroup(), log: log
        ) { view in
            let store = Interface.Store(
                path: path, bytes: store.bytes, changes: store.changeCount, lastSeq: view.lastSeq)
            return Status.Reply(view, version: Version.text, endpoint: endpoint, store: store)
        }
        let clock = DeadlineTimer(
            queue: queue, onDeadline: { engine.handleNow(.deadlineReached) },
            onStep: { engine.handleNow(.clockStepped) })
        return World(
            engine: engine, store: store, client: client, routes: routes, resolver: Resolver(host: provider.host),
            clock: clock, server: server, notifier: notifier, lists: lists, logger: log,
            finished: finished)
    }

    private func key() throws -> String? {
        let configuration = setup.configuration
        guard !configuration.keyFile.isEmpty else { return try Credentials().text(named: "ip-api-key") }
        guard let key = try Credentials.text(atPath: configuration.keyFile) else {
            throw SystemError("read the key from \(configuration.keyFile)", errno: ENOENT)
        }
        return key
    }

    /// Keeps up to 4 MiB of freed memory, so that the memory for a reply is not returned to the kernel and requested
    /// again for each reply.
    private func keepMemory() {
        let bytes = 4 << 20
        if clinux_keep_memory(bytes) != 0 { log.debug("cannot keep \(bytes) bytes of freed memory for reuse") }
    }

    /// Raises the limit on open descriptors to its maximum, because each client needs a descriptor. The usual limit of
    /// 1,024 is meant for programs that use select(2) (getrlimit(2); systemd.exec(5), `LimitNOFILE=`).
    private func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < limit.rlim_max
        else { return }
        let before = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
            log.warning("cannot raise the file descriptor limit of \(before): \(String(cString: strerror(errno)))")
        }
    }

    private func adminGroup() -> gid_t? {
        let name = setup.configuration.adminGroup
        let problem: String
        do throws(SystemError) {
            if let group = try PeerCredentials.group(named: name) { return group }
            problem = "the group \"\(name)\" does not exist"
        } catch {
            problem = "\(error)"
        }
        log.warning("\(problem); only root and the daemon's own user can change the watch list")
        return nil
    }

    private func listeningSockets(_ activated: [ActivatedSocket]) throws -> [ListeningSocket] {
        let path = setup.configuration.socket
        guard !activated.isEmpty else { return [try ListeningSocket(path: path)] }
        let sockets = try activated.map { try ListeningSocket(activated: $0.descriptor) }
        if !sockets.contains(where: { $0.name == path }) {
            log.warning(
                "[control] socket = \"\(path)\" is ignored: the .socket unit listens on \(Self.names(of: sockets))")
        }
        return sockets
    }

    private static func names(of sockets: [ListeningSocket]) -> String {
        sockets.map(\.name).sorted().joined(separator: ", ")
    }

    /// Creates an ordinary user's directories if they are missing. The package and the service manager create those of
    /// the system.
    private func createUserDirectories() throws {
        guard let places = setup.userDirectories else { return }
        for path in [places.runtime, places.state] {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
    }

    private func report(_ notify: () throws(SystemdError) -> Void) {
        do {
            try notify()
        } catch {
            log.warning("\(error)")
        }
    }
}

extension Settings {
    fileprivate init(_ configuration: Configuration, _ provider: Provider) {
        let limits = Call.Endpoint.allCases.compactMap { endpoint in
            provider.documentedLimit(of: endpoint).map { (endpoint, $0) }
        }
        self.init(
            interval: configuration.interval, debounce: configuration.debounce, keepHistory: configuration.keepHistory,
            providerName: provider.name, providerEndpoint: provider.endpoint,
            documentedLimits: Dictionary(uniqueKeysWithValues: limits))
    }
}
