import CLinux
import Confinement
import Control
import Dispatch
import Foundation
import Glibc
import IPAPI
import Logging
import RecordKeeping
import RecordStore
import Systemd

/// The daemon `iprecordd`: creates the keeper and the shells, runs them, and shuts them down.
package struct Daemon: Sendable {
    let setup: Setup
    let log: Logger

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
        let prepared = try prepare(activated)
        // Signals that arrive from now on wait until `begin` handles them.
        let signals = try Signals()
        // From here on, nothing throws before the client and the engine have been shut down.
        let provider = shell(of: prepared.provider)
        await waitForCall { await begin(prepared, provider, signals, finished: $0) }
        await waitForCall { await prepared.engine.dismissClients($0) }
        await prepared.engine.end()
        await provider.shutdown()
        try prepared.store.close()
        withExtendedLifetime(signals) {}
        log.info("stopped")
        return EXIT_SUCCESS
    }

    // MARK: Phases

    /// Connects the shells to the engine, and opens the daemon for clients and signals.
    ///
    /// - Parameter finished: called once, when the keeper has completed its work after `.terminating`.
    private func begin(
        _ prepared: Prepared, _ provider: ProviderShell, _ signals: Signals, finished: @escaping @Sendable () -> Void
    ) async {
        let (engine, notifier) = (prepared.engine, prepared.notifier)
        let databases = prepared.databases
        let lists = ListReader(engine: engine, log: log, useDatabases: { databases.use($0) }) { [setup] in
            try setup.lists()
        }
        await engine.begin { engine in
            makeWorld(engine: engine, prepared, provider, lists: lists, finished: finished)
        }
        if case .local(let local) = provider {
            databases.observe { snapshot in
                local.use(snapshot) { engine.post(.providerDataChanged($0)) }
            }
        }
        engine.post(.restored(prepared.restored))
        lists.read()
        await engine.openForClients()
        // Signals are not handled earlier, because only a server that accepts clients can stop accepting them.
        signals.handle(
            on: engine.executor.queue,
            onTerminate: { [log] in
                log.info("stopping")
                log.warnOnFailure { try notifier.stopping() }
                engine.terminateNow()
            },
            onReload: { [log] in
                log.warnOnFailure { try notifier.reloading() }
                lists.read { log.warnOnFailure { try notifier.ready() } }
            })
        let count = prepared.entryCount == 1 ? "1 entry" : "\(prepared.entryCount) entries"
        log.info("\(count) in \(setup.configuration.storePath); listening on \(Self.names(of: prepared.sockets))")
        log.warnOnFailure { try notifier.ready() }
    }

    /// Runs `work`, then waits until the closure that `work` received is called.
    private func waitForCall(in work: (@escaping @Sendable () -> Void) async -> Void) async {
        let called = AsyncStream<Void>.makeStream()
        await work { called.continuation.finish() }
        for await _ in called.stream {}
    }

    // MARK: Parts

    private func shell(of provider: ConfiguredProvider) -> ProviderShell {
        switch provider {
        case .remote(let provider):
            .remote(
                Client(provider: provider, timeout: setup.configuration.timeout) { SystemClock.now },
                host: provider.connectedHost)
        case .local(let provider): .local(provider)
        }
    }

    private func makeWorld(
        engine: isolated Engine, _ prepared: Prepared, _ provider: ProviderShell, lists: ListReader,
        finished: @escaping @Sendable () -> Void
    ) -> World {
        let (store, path, databases) = (prepared.store, setup.configuration.storePath, prepared.databases)
        // If the databases are the provider, they have no records other than those of the entries.
        let isLocal = if case .local = provider { true } else { false }
        let server = ControlServer(
            engine: engine, sockets: prepared.sockets, poller: prepared.poller.value,
            adminGroup: adminGroup(), log: log,
            state: StateReplies(
                version: Version.text, endpoint: prepared.provider.endpoint,
                proxy: prepared.provider.proxy, process: { Interface.Process.current() },
                databases: { databases.states }
            ) { view in
                Interface.Store(
                    path: path, bytes: store.bytes, changes: store.changeCount, lastSeq: view.lastSeq,
                    failure: view.storeFailure)
            },
            offline: { isLocal ? nil : databases.record(of: $0) })
        return World(
            engine: engine, store: store, provider: provider,
            backups: setup.configuration.backups, server: server, notifier: prepared.notifier, lists: lists,
            databases: databases, logger: log, finished: finished)
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

    static func names(of sockets: [ListeningSocket]) -> String {
        sockets.map(\.name).sorted().joined(separator: ", ")
    }
}
