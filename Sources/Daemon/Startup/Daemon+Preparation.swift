import CLinux
import Confinement
import Files
import Foundation
import Glibc
import IPAPI
import Logging
import RecordKeeping
import RecordStore
import Systemd

/// The first phase of the start: every step that may fail and needs no shutdown after a failure.
extension Daemon {
    /// The result of `prepare`.
    struct Prepared: Sendable {
        let provider: ConfiguredProvider
        let notifier: Notifier
        let store: Store
        /// The sockets to accept clients on.
        let sockets: [ListeningSocket]
        /// The engine, with the saved entries.
        let engine: Engine
        let poller: QueueConfined<Poller>
        /// The state that was restored from the store, without the entries.
        let restored: Restored
        let entryCount: Int
        /// The local databases, which are being loaded.
        let databases: LocalDatabases
    }

    /// The provider of the configuration.
    enum ConfiguredProvider: Sendable {
        case remote(Provider)
        case local(LocalProvider)

        /// The endpoint that the status reports.
        var endpoint: String {
            switch self {
            case .remote(let provider): provider.endpoint
            case .local: Settings.localEndpoint
            }
        }

        /// The host and port of the proxy; nil without a proxy.
        var proxy: String? {
            switch self {
            case .remote(let provider): provider.proxy?.description
            case .local: nil
            }
        }
    }

    func prepare(_ activated: [ActivatedSocket]) throws -> Prepared {
        try setup.requireStart(hasActivatedSockets: !activated.isEmpty)
        let configuration = setup.configuration
        let databases = LocalDatabases(log: log)
        databases.use(configuration.databases)
        let provider = try provider(with: databases)
        try createUserDirectories()
        let notifier = Notifier()
        let progress = StartProgress { [log] in
            do {
                try notifier.extendTimeout(by: StartProgress.extensionTime)
            } catch {
                log.warning("the start timeout was not extended: \(error)")
            }
        }
        let isMissing = Self.isMissing(configuration.storePath)
        let store = try Store(
            path: configuration.storePath, backup: (configuration.backups, SystemClock.now.wall),
            onProgress: progress.report
        ) { [log] in
            log.error("\($0)")
        }
        if isMissing { warnIfBackedUp(store.path) }
        let sockets = try listeningSockets(activated)
        let executor = QueueExecutor(label: "iprecord.engine")
        let engine = Engine(
            executor: executor,
            keeper: Keeper(
                settings: Settings(configuration, provider), seed: .random(in: 0 ... .max),
                startedAt: SystemClock.now))
        let (restored, entryCount, unreadable) = try store.restore(
            at: SystemClock.now, bootID: SystemClock.bootID, onProgress: progress.report
        ) {
            progress.report()
            engine.restore($0, of: $1)
        }
        for row in unreadable { log.error("a row of the database could not be read and is ignored: \(row)") }
        if let failure = DescriptorLimit.raise() { log.warning("\(failure)") }
        keepMemory()
        return Prepared(
            provider: provider, notifier: notifier, store: store, sockets: sockets, engine: engine,
            poller: try Poller.start(on: executor.queue), restored: restored, entryCount: entryCount,
            databases: databases)
    }

    /// Returns the provider of the configuration.
    ///
    /// Local databases are loaded while the store is restored, and the start does not wait for large files. It waits
    /// only if they are the provider, because the keeper must know which of the stored records are current.
    private func provider(with databases: LocalDatabases) throws -> ConfiguredProvider {
        let configuration = setup.configuration
        switch configuration.kind {
        case .http:
            let proxy = try setup.proxyChoice()
            let provider = try Provider(
                endpoint: configuration.endpoint, language: configuration.language, key: try key(), proxy: proxy.proxy)
            if let sentence = proxy.sentence { log.info("\(sentence)") }
            if let caution = provider.caution { log.warning("\(caution)") }
            return .remote(provider)
        case .mmdb:
            databases.waitUntilLoaded()
            return .local(LocalProvider(databases))
        }
    }

    /// Whether there is no database, or only an empty file.
    private static func isMissing(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_size == 0 : errno == ENOENT
    }

    /// Warns that the database was missing, if there are backups of it.
    private func warnIfBackedUp(_ path: String) {
        do throws(StoreError) {
            guard try !Backup.all(of: path).isEmpty else { return }
        } catch {
            return log.warning("cannot list the backups: \(error)")
        }
        log.warning(
            """
            the database \(path) is missing or empty, so the daemon starts with an empty one; to list its backups: \
            iprecordd --restore (with the same --config); to restore one, stop iprecordd.socket and \
            iprecordd.service, then run iprecordd --restore FILE
            """)
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

    private func key() throws -> String? {
        let configuration = setup.configuration
        guard !configuration.keyFile.isEmpty else { return try Credentials().text(named: "ip-api-key") }
        guard let key = try Credentials.text(atPath: configuration.keyFile) else {
            throw SystemError("read the key from \(configuration.keyFile)", errno: ENOENT)
        }
        return key
    }

    private func listeningSockets(_ activated: [ActivatedSocket]) throws -> [ListeningSocket] {
        let path = setup.configuration.socket
        guard !activated.isEmpty else { return [try ListeningSocket(path: path)] }
        let sockets = try activated.map { try ListeningSocket(activated: $0.descriptor) }
        if !sockets.contains(where: { $0.name == path }) {
            log.warning(
                "[control] socket = \"\(path)\" is ignored: the .socket unit listens on \(Self.names(of: sockets))"
            )
        }
        return sockets
    }

    /// Keeps up to 4 MiB of freed memory, so that the memory for a reply is not returned to the kernel and requested
    /// again for each reply.
    private func keepMemory() {
        let bytes = 4 << 20
        if clinux_keep_memory(bytes) != 0 {
            log.debug("cannot keep \(bytes) bytes of freed memory for reuse")
        }
    }
}

extension Settings {
    fileprivate init(_ configuration: Configuration, _ provider: Daemon.ConfiguredProvider) {
        self.init(
            interval: configuration.interval, debounce: configuration.debounce,
            keepHistory: configuration.keepHistory, alertFields: configuration.alertFields)
        switch provider {
        case .remote(let provider):
            (providerName, routeName, providerEndpoint) = (provider.name, provider.connectedName, provider.endpoint)
            providerKind = .remote(documentedLimits: provider.documentedLimits)
        case .local(let provider): useLocalDatabases(provider.version)
        }
    }
}
