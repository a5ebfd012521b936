import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// Serves HTTP on listening sockets.
struct WebServer {
    /// A listening socket, or the address of one to be created.
    enum Source: CustomStringConvertible {
        /// A socket from the service manager.
        case descriptor(Int32)
        case address(ListenAddress)

        var description: String {
            switch self {
            case .descriptor(let descriptor): "descriptor \(descriptor)"
            case .address(.tcp(let host, let port)): "\(host):\(port)"
            case .address(.unix(let path)): path
            }
        }
    }

    let responder: RouterResponder<WebContext>
    let group: any EventLoopGroup
    let logger: Logger
    /// Whether the server refuses Unix sockets that every user can open.
    let needsPrivateSockets: Bool

    /// Time in which a client must send its first request.
    private static let requestTime = TimeAmount.seconds(10)
    /// Time in which a client must send another request, and after which a silent connection is closed. Event streams
    /// are never silent for that long.
    private static let idleTime = TimeAmount.seconds(60)
    /// Maximum size of a request's headers in bytes.
    private static let maxHeaderBytes = 16 * 1_024

    /// Serves until the task is cancelled.
    ///
    /// - Parameter ready: called once all sockets accept connections.
    func run(_ sources: [Source], counter: ConnectionCounter, ready: @Sendable ([SocketAddress]) -> Void) async throws {
        let http = HTTP1Channel(
            responder: respond,
            configuration: .init(
                additionalChannelHandlers: [RequestTimeout(first: Self.requestTime, next: Self.idleTime)],
                idleTimeout: Self.idleTime,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: Self.maxHeaderBytes, maxHeaderListSize: Self.maxHeaderBytes,
                    maxHeaderFieldCount: 100)))
        var servers: [Listener] = []
        for source in sources {
            let server: Listener
            do {
                server = try await listen(source, http, counter)
            } catch {
                throw ListenError(description: "cannot listen on \(source): \(error)")
            }
            if needsPrivateSockets, let path = server.channel.localAddress?.pathname { try Self.checkPrivacy(of: path) }
            servers.append(server)
        }
        ready(servers.compactMap(\.channel.localAddress))
        try await withThrowingDiscardingTaskGroup { group in
            for server in servers {
                group.addTask { try await accept(from: server) }
            }
        }
    }

    /// connect(2) needs the permission to write (unix(7)).
    private static func checkPrivacy(of path: String) throws(ListenError) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IWOTH != 0 else { return }
        throw ListenError(
            description: "every user can open \(path), and would be allowed to make changes; set SocketMode=0660, or "
                + "start without --allow-changes")
    }

    /// A listening socket. It yields the tasks that serve its connections rather than the connections themselves: NIO
    /// drops what it has not yielded yet when the server stops, and a connection that is dropped without having been
    /// served ends the program (github.com/apple/swift-nio/issues/2637).
    private typealias Listener = NIOAsyncChannel<Task<Void, Never>, Never>

    private func listen(
        _ source: Source, _ http: HTTP1Channel, _ counter: ConnectionCounter
    ) async throws -> Listener {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        let logger = logger
        @Sendable func setUp(_ channel: any Channel) -> EventLoopFuture<Task<Void, Never>> {
            // NIO does not pass on a connection whose setup fails.
            guard counter.opened() else {
                channel.close(promise: nil)
                return channel.eventLoop.makeFailedFuture(TooManyConnections())
            }
            channel.closeFuture.whenComplete { _ in counter.closed() }
            return http.setup(channel: channel, logger: logger).flatMapThrowing { connection in
                try Compression.add(to: channel.pipeline.syncOperations)
                return Task { await http.handle(value: connection, logger: logger) }
            }
        }
        switch source {
        case .descriptor(let descriptor):
            return try await bootstrap.bind(descriptor, childChannelInitializer: setUp)
        case .address(.tcp(let host, let port)):
            return try await bootstrap.bind(host: host, port: port, childChannelInitializer: setUp)
        case .address(.unix(let path)):
            return try await bootstrap.bind(
                unixDomainSocketPath: path, cleanupExistingSocketFile: true, childChannelInitializer: setUp)
        }
    }

    /// Waits for the connections of a socket until the task is cancelled, which closes them.
    private func accept(from server: Listener) async throws {
        try await server.executeThenClose { connections in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in connections {
                    group.addTask {
                        await withTaskCancellationHandler {
                            await connection.value
                        } onCancel: {
                            connection.cancel()
                        }
                    }
                }
            }
        }
    }

    @Sendable private func respond(
        to request: Request, writer: consuming ResponseWriter, on channel: any Channel
    ) async throws {
        let context = WebContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
        let response = try await responder.respond(to: request, context: context)
        try await writer.write(response: response.head, body: response.body)
    }
}

/// A socket that cannot be served.
struct ListenError: Error, CustomStringConvertible {
    let description: String
}

/// The limit of connections is reached.
private struct TooManyConnections: Error {}
