import Control
import Glibc
import Varlink

/// A blocking connection to the daemon.
final class Connection {
    /// Readable once replies have come.
    let descriptor: Int32
    private let path: String
    private let patience: Duration?
    private var conversation = ClientConversation(limitBytes: Connection.longestReplyBytes)
    /// Where bytes come in.
    private var chunk = [UInt8](repeating: 0, count: 65_536)
    /// When to give up on a reply; nil for never.
    var deadline: Deadline?
    /// Signals that end what is under way with a complaint, so that one can tell how far it came.
    var interruption: SignalPipe?

    /// A reply with a full request's addresses has some 80 MB.
    private static let longestReplyBytes = 256 * 1_024 * 1_024

    /// No connection came about.
    struct Unreachable: Error {
        let errno: Int32
    }

    convenience init(to socketPath: SocketPath) throws(Complaint) {
        do throws(Unreachable) {
            try self.init(path: socketPath.path)
        } catch {
            throw Complaint(unreachable: socketPath.path, errno: error.errno)
        }
    }

    /// - Parameter patience: how long one answer, and room for a call, is awaited; nil for as long as it takes.
    init(path: String, patience: Duration? = nil) throws(Unreachable) {
        self.path = path
        self.patience = patience
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Unreachable(errno: errno) }
        if let patience { Self.bound(descriptor, to: patience) }
        guard Self.connect(descriptor, to: path) else {
            let error = errno
            close(descriptor)
            throw Unreachable(errno: error)
        }
    }

    /// Who listens at the other end (unix(7), SO_PEERCRED); nil where the kernel does not say.
    var listener: (process: pid_t, user: uid_t, group: gid_t)? {
        // A struct ucred, which Swift does not see: pid, uid and gid, of 32 bits each.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(MemoryLayout<UInt32>.stride * credentials.count)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0, credentials[0] > 0 else {
            return nil
        }
        return (pid_t(credentials[0]), credentials[1], credentials[2])
    }

    deinit { close(descriptor) }

    /// A second one to the same daemon, for what is asked while this one listens.
    func another() throws(Complaint) -> Connection {
        let connection = try Connection(to: SocketPath(option: path))
        connection.interruption = interruption
        return connection
    }

    /// Calls a method, and returns its reply.
    func call(_ method: String, _ parameters: some Encodable) throws(Complaint) -> ClientConversation.IncomingReply {
        try checked(try reply(to: method, parameters))
    }

    /// Calls a method, and returns its reply, which may be an error.
    func reply(to method: String, _ parameters: some Encodable) throws(Complaint) -> ClientConversation.IncomingReply {
        try send(Self.message(method, parameters)[...])
        return try receive()
    }

    /// Calls a method that gives several replies, and hands each out until there is no more.
    ///
    /// - Parameter each: what to do with a reply.
    func callForMore(
        _ method: String, _ parameters: some Encodable,
        each: (ClientConversation.IncomingReply) throws(Complaint) -> Void
    ) throws(Complaint) {
        try send(Self.message(method, parameters, more: true)[...])
        while true {
            let reply = try nextReply()
            try each(reply)
            if !reply.continues { return }
        }
    }

    /// A call as bytes, for several that are sent at once.
    static func message(_ method: String, _ parameters: some Encodable, more: Bool = false) -> [UInt8] {
        ClientConversation.call("\(Interface.name).\(method)", parameters, more: more)
    }

    /// The next reply to what was sent; replies come in the order of their calls.
    func nextReply() throws(Complaint) -> ClientConversation.IncomingReply {
        try checked(try receive())
    }

    /// The replies that have come, for who waits for several things at once with poll(2); errors are replies, too.
    ///
    /// - Precondition: `descriptor` is readable, or this waits until it is.
    func arrived() throws(Complaint) -> [ClientConversation.IncomingReply] {
        try receiveBytes()
        var replies: [ClientConversation.IncomingReply] = []
        while let reply = try takenReply() { replies.append(reply) }
        return replies
    }

    /// What to tell a person of a reply; nil of a good one.
    func complaint(of reply: ClientConversation.IncomingReply) -> Complaint? {
        guard let name = reply.error else { return nil }
        return Complaint(ControlError(name: name, parameters: reply.parameters), from: path)
    }

    private func checked(_ reply: ClientConversation.IncomingReply) throws(Complaint)
        -> ClientConversation.IncomingReply
    {
        if let complaint = complaint(of: reply) { throw complaint }
        return reply
    }

    // MARK: Bytes

    func send(_ messages: ArraySlice<UInt8>) throws(Complaint) {
        var rest = messages
        let flags = Int32(MSG_NOSIGNAL) | (interruption == nil ? 0 : Int32(MSG_DONTWAIT))
        while !rest.isEmpty {
            if interruption != nil { try awaitEvent(POLLOUT, until: nil) }
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, flags) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN, interruption == nil {
                throw silent()
            } else if errno != EINTR, errno != EAGAIN {
                throw lost()
            }
        }
    }

    private func receive() throws(Complaint) -> ClientConversation.IncomingReply {
        while true {
            if let reply = try takenReply() { return reply }
            try receiveBytes()
        }
    }

    /// A reply whose bytes were taken already.
    private func takenReply() throws(Complaint) -> ClientConversation.IncomingReply? {
        do {
            return try conversation.next()
        } catch {
            throw Complaint(status: .software, message: "the daemon at \(path) answers nonsense: \(error)")
        }
    }

    /// Takes what has come, and waits for it where nothing has.
    private func receiveBytes() throws(Complaint) {
        while true {
            try awaitBytes()
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                conversation.receive(chunk[..<count])
                return
            }
            if count < 0, errno == EAGAIN { throw silent() }
            guard count < 0, errno == EINTR else { throw lost() }
        }
    }

    /// Waits until there is something to read, the time is over, or a signal has come.
    private func awaitBytes() throws(Complaint) {
        guard deadline != nil || interruption != nil else { return }
        try awaitEvent(POLLIN, until: deadline)
    }

    private func awaitEvent(_ event: Int32, until deadline: Deadline?) throws(Complaint) {
        while true {
            // poll(2) passes over a descriptor below zero.
            var waiting = [
                pollfd(fd: descriptor, events: Int16(event), revents: 0),
                pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waiting, 2, deadline?.remaining ?? -1)
            if let signal = interruption?.numbers().first {
                throw Complaint(status: .tryLater, message: "interrupted", signal: signal)
            }
            if waiting[0].revents != 0 { return }
            // A deadline may lie further ahead than poll(2) counts.
            if count == 0, let deadline, deadline.remaining == 0 {
                throw Complaint(status: .tryLater, message: "the time is over", isTimeout: true)
            }
            if count < 0, errno != EINTR { throw lost() }
        }
    }

    private func lost() -> Complaint {
        Complaint(
            status: .noDaemon, message: "the daemon at \(path) ended the connection",
            advice: "Look at its journal: journalctl -u iprecordd -e")
    }

    /// Only where there is a bound does a call on this socket end without a byte.
    private func silent() -> Complaint {
        let seconds = patience.map { " within \($0.components.seconds) s" } ?? ""
        return Complaint(
            status: .tryLater, message: "the daemon at \(path) does not answer\(seconds)",
            advice: "Look at its journal: journalctl -u iprecordd -e")
    }

    // MARK: Connecting

    /// For connecting, too (socket(7), SO_SNDTIMEO).
    private static func bound(_ descriptor: Int32, to patience: Duration) {
        let (seconds, attoseconds) = patience.components
        var limit = timeval(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            // Fails only for what is no socket, which this is.
            setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    private static func connect(_ descriptor: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard fits else {
            errno = ENAMETOOLONG
            return false
        }
        return withUnsafePointer(to: &address) { pointer in
            // A sockaddr_un begins like every sockaddr, and connect(2) reads no more than the length.
            let generic = UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return Glibc.connect(descriptor, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
        }
    }
}
