import Control
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
import NIOCore
import RecordKeeping
import Varlink

/// The stream of events, as server-sent events (html.spec.whatwg.org/multipage/server-sent-events.html).
///
/// The id of an event is its `seq`. A browser that reconnects sends the last id, so that it misses no kept event and
/// receives none twice. Without an id, the stream begins now.
struct EventRoute {
    let daemon: DaemonClient
    private let streams = NIOLockedValueBox(0)

    /// Time without an event after which a comment is sent. It keeps proxies from closing the connection, and detects
    /// clients that have disconnected.
    private static let heartbeat = TimeAmount.seconds(15)

    init(daemon: DaemonClient) {
        self.daemon = daemon
    }

    func add(to router: RouterGroup<WebContext>) {
        router.get("events") { request, _ in
            let query = try QueryParameters(request, names: ["after", "kind", "address"])
            let queried = try query.number("after")
            let after =
                try request.headers[.lastEventID].flatMap { text throws(Problem) -> Int64? in
                    if text.isEmpty { return nil }
                    guard let seq = Int64(text), seq >= 0 else { throw .invalid("Last-Event-ID", "the id of an event") }
                    return seq
                } ?? queried
            return try await stream(
                request, after: after, kinds: try query.texts("kind"), addresses: try query.texts("address"))
        }
    }

    private func stream(
        _ request: Request, after: Int64?, kinds: [String]?, addresses: [String]?
    ) async throws -> Response {
        guard let ticket = Ticket(streams) else {
            throw Problem(
                status: .serviceUnavailable, detail: "the limit of \(Ticket.maxStreams) event streams is reached")
        }
        let last = try await lastSeq()
        // If the database has been replaced, the id may be one that it does not have yet.
        let isGone = after.map { $0 > last } ?? false
        let start = min(after ?? last, last)
        let parameters = Monitor.Parameters(after: start, kinds: kinds ?? Self.defaultKinds, addresses: addresses)
        // If the daemon cannot be reached, the status of the response says so.
        let stream = EventFeed(try await daemon.open("Monitor", parameters), ticket)
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: "retry: 1000\nid: \(start)\ndata: {\"kind\":\"hello\"}\n\n"))
                if isGone { try await writer.write(Self.gone(from: start)) }
                try await Self.send(from: stream.channel, for: request, to: &writer)
                try await writer.finish(nil)
            })
    }

    private func lastSeq() async throws -> Int64 {
        let status = try await daemon.reply(to: "Status", [String: String]())
        return try status.decoded(as: Status.Reply.self).store.lastSeq
    }

    /// All kinds except `refreshed`, of which there may be thousands a second, and which have no id.
    private static let defaultKinds = PublishedEvent.Kind.allCases.filter { $0 != .refreshed }.map(\.rawValue)

    /// Sends events until the client or the daemon ends its connection, or the client has missed events.
    private static func send(
        from connection: DaemonChannel, for request: Request, to writer: inout any ResponseBodyWriter
    ) async throws {
        var writing = writer
        defer { writer = writing }
        try await request.body.consumeWithInboundCloseHandler { _ in
            while true {
                guard let reply = try await connection.nextReply(within: heartbeat) else {
                    try await writing.write(ByteBuffer(string: ":\n\n"))
                    continue
                }
                guard let error = reply.error else {
                    try await writing.write(try message(reply))
                    continue
                }
                guard case .eventsGone(let oldest) = ControlError(name: error, parameters: reply.parameters) else {
                    return
                }
                // The client loads everything again, and continues with the oldest event.
                try await writing.write(gone(from: oldest - 1))
                return
            }
        } onInboundClosed: {
            connection.close()
        }
    }

    /// Returns the message to a client that has missed events, which then reloads everything and continues from there.
    private static func gone(from seq: Int64) -> ByteBuffer {
        ByteBuffer(string: "id: \(seq)\nevent: gone\ndata: \(seq + 1)\n\n")
    }

    private static func message(_ reply: ClientConversation.IncomingReply) throws -> ByteBuffer {
        guard let event = try JSONMember.value(of: "event", in: reply.parametersJSON) else {
            throw DaemonError.invalidReply
        }
        var buffer = ByteBuffer()
        if let seq = try JSONMember.value(of: "seq", in: event) {
            buffer.writeString("id: ")
            buffer.writeBytes(seq)
            buffer.writeString("\n")
        }
        // The daemon writes JSON without line feeds.
        buffer.writeString("data: ")
        buffer.writeBytes(event)
        buffer.writeString("\n\n")
        return buffer
    }
}

/// The daemon's part of an event stream. It ends with the last reference to it: the body of a response is dropped
/// without being sent if the method is HEAD or the client has gone.
private final class EventFeed: Sendable {
    let channel: DaemonChannel
    private let ticket: Ticket

    init(_ channel: DaemonChannel, _ ticket: Ticket) {
        (self.channel, self.ticket) = (channel, ticket)
    }

    deinit { channel.close() }
}

/// A permit for an event stream. It is returned with the last reference to it.
private final class Ticket: Sendable {
    private let streams: NIOLockedValueBox<Int>

    /// Maximum number of streams. Each has a connection to the daemon, which allows a user 500.
    static let maxStreams = 250

    /// - Parameter streams: the number of tickets.
    /// - Returns: nil if there are `maxStreams` tickets.
    init?(_ streams: NIOLockedValueBox<Int>) {
        let isFree = streams.withLockedValue { count in
            guard count < Self.maxStreams else { return false }
            count += 1
            return true
        }
        guard isFree else { return nil }
        self.streams = streams
    }

    deinit { streams.withLockedValue { $0 -= 1 } }
}

extension HTTPField.Name {
    /// The id of the last event that the client has received.
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
