import Control
import Glibc
import Varlink

/// A blocking connection to the daemon.
final class DaemonConnection {
    /// The socket, which is readable when replies have arrived.
    private(set) var descriptor: Int32
    let path: String
    /// The time limits for receiving a reply and for sending a call.
    var limits: TimeLimits
    private var conversation = ClientConversation(limitBytes: DaemonConnection.maxReplyBytes)
    /// Whether a part of the reply to the last call has arrived.
    private var hasReplyBegun = false
    /// Signals that interrupt a call with an error, so that a command can report its progress.
    var interruption: SignalPipe?
    /// The reader of the output of a command that runs until its reader has gone; the reader's end interrupts a call.
    /// Nil for other commands.
    var reader: OutputReader?

    /// The maximum length of a reply; the reply to a request of maximum size is about 80 MB long.
    private static let maxReplyBytes = 256 * 1_024 * 1_024
    /// The methods that change nothing and can be called again.
    private static let reads: Set<String> = ["Show", "List", "Status", "History", "Outages"]
    /// Time reserved, within the usual limit, for checking whether a silent daemon still answers other calls.
    private static let probeDuration = Duration.seconds(2)

    /// A failed connection.
    struct Unreachable: Error {
        let errno: Int32
        /// With `EAGAIN`, the milliseconds spent waiting for the daemon to accept the connection.
        var waitedMilliseconds: Int64 = 0
    }

    convenience init(to socketPath: SocketPath, limits: TimeLimits) throws(CommandError) {
        do throws(Unreachable) {
            try self.init(path: socketPath.path, limits: limits)
        } catch {
            var commandError = CommandError(
                unreachable: socketPath.path, errno: error.errno, afterMilliseconds: error.waitedMilliseconds)
            commandError.isTimeout = limits.deadline?.isOver == true
            throw commandError
        }
    }

    init(path: String, limits: TimeLimits) throws(Unreachable) {
        self.path = path
        self.limits = limits
        descriptor = try ConnectedSocket.descriptor(path: path, until: limits.end())
    }

    deinit { close(descriptor) }

    /// Opens another connection to the same daemon, for calls while this one receives events.
    func duplicate() throws(CommandError) -> DaemonConnection {
        let connection = try DaemonConnection(to: SocketPath(option: path), limits: limits)
        connection.interruption = interruption
        return connection
    }

    /// Calls a method, and returns its reply.
    ///
    /// - Parameter wait: the time that the daemon is asked to wait before it replies.
    func call(
        _ method: String, _ parameters: some Encodable, wait: Duration = .zero
    ) throws(CommandError) -> ClientConversation.IncomingReply {
        try checked(try reply(to: method, parameters, wait: wait))
    }

    /// Calls a method, and returns its reply, which may be an error.
    ///
    /// A read-only call is sent once more, on a new connection, if the daemon closes the connection before the first
    /// byte of the reply.
    func reply(
        to method: String, _ parameters: some Encodable, wait: Duration = .zero
    ) throws(CommandError) -> ClientConversation.IncomingReply {
        let message = Self.message(method, parameters)[...]
        let isRead = Self.reads.contains(method)
        do throws(CommandError) {
            return try exchange(message, wait: wait, isRead: isRead)
        } catch {
            return try exchangeAgain(message, after: error, wait: wait, isRead: isRead)
        }
    }

    /// Sends a call that changes nothing, so that the daemon prepares the reply while the caller does other work.
    /// `reply(to:)` returns the reply, or the error.
    func begin(_ method: String, _ parameters: some Encodable) -> PendingCall {
        let message = Self.message(method, parameters)[...]
        do throws(CommandError) {
            hasReplyBegun = false
            try send(message)
            return PendingCall(message: message, sendError: nil)
        } catch {
            return PendingCall(message: message, sendError: error)
        }
    }

    /// Returns the reply to the pending call.
    ///
    /// - Parameter read: reads the parameters of the reply, once it is complete; may begin another call.
    func reply(
        to call: PendingCall, reading read: ClientConversation.ParametersReader = ClientConversation.validate
    ) throws(CommandError) -> ClientConversation.IncomingReply {
        do throws(CommandError) {
            if let sendError = call.sendError { throw sendError }
            return try checked(try receive(isRead: true, reading: read))
        } catch {
            // The daemon may have restarted while the caller worked. An incomplete reply is discarded, and the call
            // changes nothing, so it can be sent again.
            hasReplyBegun = false
            return try checked(try exchangeAgain(call.message, after: error, wait: .zero, isRead: true, reading: read))
        }
    }

    private func exchangeAgain(
        _ message: ArraySlice<UInt8>, after error: CommandError, wait: Duration, isRead: Bool,
        reading read: ClientConversation.ParametersReader = ClientConversation.validate
    ) throws(CommandError) -> ClientConversation.IncomingReply {
        guard error.isConnectionLost, isRead, !hasReplyBegun, reopen() else { throw error }
        return try exchange(message, wait: wait, isRead: isRead, reading: read)
    }

    private func exchange(
        _ message: ArraySlice<UInt8>, wait: Duration, isRead: Bool,
        reading read: ClientConversation.ParametersReader = ClientConversation.validate
    ) throws(CommandError) -> ClientConversation.IncomingReply {
        hasReplyBegun = false
        try send(message)
        return try receive(wait: wait, isRead: isRead, reading: read)
    }

    /// Reconnects, because a new daemon may be listening on the socket by now.
    private func reopen() -> Bool {
        do throws(Unreachable) {
            let fresh = try ConnectedSocket.descriptor(path: path, until: limits.end())
            close(descriptor)
            descriptor = fresh
        } catch {
            // The caller reports the loss of the original connection, which happened first.
            return false
        }
        conversation = ClientConversation(limitBytes: Self.maxReplyBytes)
        return true
    }

    /// Returns the bytes of a call, so that several calls can be sent at once.
    static func message(_ method: String, _ parameters: some Encodable, more: Bool = false) -> [UInt8] {
        ClientConversation.call("\(Interface.name).\(method)", parameters, more: more)
    }

    /// Waits for the next reply. Replies arrive in the order of their calls.
    ///
    /// - Parameter isRead: whether the call changes nothing.
    func nextReply(isRead: Bool = true) throws(CommandError) -> ClientConversation.IncomingReply {
        try checked(try receive(isRead: isRead))
    }

    /// Returns the replies that have arrived, including errors, for callers that wait with poll(2).
    ///
    /// If `descriptor` is not readable, this function blocks.
    func receivedReplies() throws(CommandError) -> [ClientConversation.IncomingReply] {
        try receiveBytes(until: limits.end())
        var replies: [ClientConversation.IncomingReply] = []
        while let reply = try nextBufferedReply() { replies.append(reply) }
        return replies
    }

    private func checked(_ reply: ClientConversation.IncomingReply) throws(CommandError)
        -> ClientConversation.IncomingReply
    {
        if let commandError = commandError(of: reply) { throw commandError }
        return reply
    }

    // MARK: Bytes

    func send(_ messages: ArraySlice<UInt8>) throws(CommandError) {
        var rest = messages
        while !rest.isEmpty {
            try awaitEvent(POLLOUT, until: limits.end())
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR, errno != EAGAIN {
                throw lost()
            }
        }
    }

    private func receive(
        wait: Duration = .zero, isRead: Bool,
        reading read: ClientConversation.ParametersReader = ClientConversation.validate
    ) throws(CommandError) -> ClientConversation.IncomingReply {
        while true {
            if let reply = try nextBufferedReply(reading: read) { return reply }
            guard !isRead, let silence = limits.silence else {
                try receiveBytes(until: limits.end(after: wait))
                continue
            }
            // If the wait for the reply to a change ended early, the outcome would be unknown. The client therefore
            // waits while the daemon is only busy.
            let firstWait = max(.zero, silence - Self.probeDuration)
            do throws(CommandError) {
                try receiveBytes(until: TimeLimits(silence: firstWait, deadline: limits.deadline).end(after: wait))
            } catch {
                guard error.isUnresponsive, limits.deadline?.isOver != true else { throw error }
                guard try answersStatus() else {
                    throw silent(milliseconds: Deadline(in: silence + wait).spanMilliseconds)
                }
            }
        }
    }

    /// Returns whether the daemon answers another call on another connection.
    ///
    /// - Throws: only if a signal arrives. The caller reports the daemon as silent, whatever the reason for the
    ///   failure.
    private func answersStatus() throws(CommandError) -> Bool {
        let probe: DaemonConnection
        do throws(Unreachable) {
            probe = try DaemonConnection(path: path, limits: TimeLimits(silence: Self.probeDuration))
        } catch {
            try interruption?.check()
            return false
        }
        probe.interruption = interruption
        do throws(CommandError) {
            _ = try probe.reply(to: "Status", Control.Status.Parameters())
            return true
        } catch {
            guard error.signal == nil else { throw error }
            return false
        }
    }

    /// Returns the next reply whose bytes have been received.
    private func nextBufferedReply(
        reading read: ClientConversation.ParametersReader = ClientConversation.validate
    ) throws(CommandError) -> ClientConversation.IncomingReply? {
        do {
            return try conversation.next(reading: read)
        } catch {
            throw CommandError(
                status: .software, message: "the daemon at \(path) sent a reply that could not be parsed: \(error)")
        }
    }

    /// Waits for bytes and receives them.
    private func receiveBytes(until end: Deadline?) throws(CommandError) {
        while true {
            try awaitEvent(POLLIN, until: end)
            // Zeroing a buffer would take longer than receiving most replies.
            let (count, failure) = withUnsafeTemporaryAllocation(byteCount: 65_536, alignment: 1) { chunk in
                let count = recv(descriptor, chunk.baseAddress, chunk.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { return (count, errno) }
                conversation.receive(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
                return (count, 0)
            }
            if count > 0 {
                hasReplyBegun = true
                return
            }
            guard count < 0, failure == EINTR || failure == EAGAIN else { throw lost() }
        }
    }

    /// Waits until the socket is ready, the deadline has passed, a signal has arrived, or the reader has gone.
    private func awaitEvent(_ event: Int32, until end: Deadline?) throws(CommandError) {
        while true {
            // poll(2) ignores negative descriptors.
            var waiting = [
                pollfd(fd: descriptor, events: Int16(event), revents: 0),
                pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
                reader?.polled ?? pollfd(fd: -1, events: 0, revents: 0),
            ]
            let count = poll(&waiting, 3, end?.remaining ?? -1)
            try interruption?.check()
            try OutputReader.check(waiting[2])
            if waiting[0].revents != 0 { return }
            // A deadline may exceed the range of poll(2).
            if count == 0, let end, end.isOver { throw silent(milliseconds: end.spanMilliseconds) }
            if count < 0, errno != EINTR { throw lost() }
        }
    }

    private func lost() -> CommandError {
        CommandError(
            status: .noDaemon, message: "the daemon at \(path) closed the connection",
            advice: "See its journal: journalctl -u iprecordd -e", isConnectionLost: true)
    }

    private func silent(milliseconds: Int64) -> CommandError {
        var commandError = CommandError(silent: path, afterMilliseconds: milliseconds, "reply")
        commandError.isTimeout = limits.deadline?.isOver == true
        return commandError
    }
}
