import ArgumentParser
import Control
import Files
import Foundation
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Systemd

/// The web page, the JSON API and the metrics of the daemon.
@main
struct IprecordWeb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "iprecord-web",
        abstract: "Serve the watch list as a web page, as JSON, and for Prometheus.",
        discussion: """
            iprecord-web is a client of the daemon iprecordd. It has no data of its own. By default it only reads.

            If systemd passes sockets, it serves these, and exits when no client has been connected for a minute.
            Otherwise, it listens on the addresses of --listen.

            Examples:
              iprecord-web
              iprecord-web --listen unix:/run/iprecord/http.sock --allow-changes
              iprecord-web --listen 127.0.0.1:8470 --allowed-host watch.example.org
            """,
        version: "0.1.0")

    @Option(
        help: ArgumentHelp(
            "The daemon's socket (default: IPRECORD_SOCKET, or the system daemon's).", valueName: "path"),
        completion: .file())
    var socket = ProcessInfo.processInfo.environment["IPRECORD_SOCKET"] ?? "/run/iprecord/control.sock"

    @Option(
        help: ArgumentHelp(
            "Listen on HOST:PORT or unix:PATH; may be given several times (default: 127.0.0.1:8470).",
            valueName: "address"))
    var listen: [ListenAddress] = []

    @Flag(
        help: ArgumentHelp(
            "Allow changes to the watch list, on Unix sockets and with the token of --token-file.",
            discussion: "The daemon must also allow the user of iprecord-web to make changes."))
    var allowChanges = false

    @Option(
        help: ArgumentHelp(
            "A file with the token that allows changes over TCP, as Authorization: Bearer TOKEN.", valueName: "file"),
        completion: .file())
    var tokenFile: String?

    @Option(
        help: ArgumentHelp(
            "A host name by which browsers reach the server; may be given several times. Loopback names are always "
                + "allowed.", valueName: "name"))
    var allowedHost: [String] = []

    func validate() throws {
        // Hosts are compared without their ports.
        for name in allowedHost
        where name.isEmpty || name.contains(where: { ":/ ".contains($0) && !name.hasPrefix("[") }) {
            throw ValidationError("\"\(name)\" is not a host name; leave out the scheme and the port")
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in LogDestination.current.handler(identifier: "iprecord-web") }
        let logger = Logger(label: "iprecord-web")
        let sockets = try ActivatedSocket.receiveAll(allowing: .anyStream)
        if let failure = DescriptorLimit.raise() { logger.warning("\(failure)") }
        var settings = ProtectionSettings()
        settings.allowedHosts = Set(allowedHost.map { $0.lowercased() })
        settings.allowsChanges = allowChanges
        settings.token = try tokenFile.map { try Self.token(in: $0) }
        let group = MultiThreadedEventLoopGroup.singleton
        let daemon = DaemonClient(path: socket, group: group)
        let server = WebServer(
            responder: Self.router(daemon, settings).buildResponder(), group: group, logger: logger,
            needsPrivateSockets: allowChanges)
        let (stops, stop) = AsyncStream.makeStream(of: Void.self)
        let counter = ConnectionCounter(
            on: group.next(), idleTime: sockets.isEmpty ? nil : .seconds(60)
        ) { stop.yield() }
        let signals = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { stop.yield() }
            source.resume()
            return source
        }
        defer { for source in signals { source.cancel() } }
        let sources: [WebServer.Source] =
            sockets.isEmpty
            ? (listen.isEmpty ? [.tcp(host: "127.0.0.1", port: 8_470)] : listen).map { .address($0) }
            : sockets.map { .descriptor($0.descriptor) }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                try await server.run(sources, counter: counter) { addresses in
                    for address in addresses { logger.notice("listening on \(address.url)") }
                    do {
                        try Notifier().ready()
                    } catch {
                        logger.warning("cannot notify the service manager: \(error)")
                    }
                }
            }
            tasks.addTask { for await _ in stops { return } }
            try await tasks.next()
            tasks.cancelAll()
        }
        daemon.close()
    }

    /// - Throws: an error that names the file.
    private static func token(in path: String) throws -> String {
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.bytes(at: path, maxBytes: 4_096)
        } catch {
            throw ValidationError("cannot read the token file \(path): \(error)")
        }
        let token = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        guard token.utf8.count >= 16 else {
            throw ValidationError("the token in \(path) must have at least 16 characters")
        }
        return token
    }

    private static func router(_ daemon: DaemonClient, _ settings: ProtectionSettings) -> Router<WebContext> {
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: Responses())
        router.add(middleware: Protection(settings: settings))
        PageRoutes().add(to: router)
        MetricsRoute(daemon: daemon).add(to: router)
        let api = router.group("api/v1")
        EntryRoutes(daemon: daemon, settings: settings).add(to: api)
        EventRoute(daemon: daemon).add(to: api)
        ChangeRoutes(daemon: daemon).add(to: api.group().add(middleware: ChangeProtection(settings: settings)))
        api.get("openapi.json") { _, _ in json(ArraySlice(PageAssets.openAPI)) }
        return router
    }
}

extension SocketAddress {
    /// The address in a form that can be opened.
    fileprivate var url: String {
        switch self {
        case .v4: "http://\(ipAddress ?? "?"):\(port ?? 0)"
        case .v6: "http://[\(ipAddress ?? "?")]:\(port ?? 0)"
        case .unixDomainSocket: "unix:\(pathname ?? "?")"
        }
    }
}
