import CLinux
import Foundation
import Glibc
import RecordKeeping
import TestSupport
import Testing

@testable import Daemon

/// Descriptors that clients pass: closing one may block, and must not block the engine's queue.
///
/// Each passed socket lingers for half a minute, and another client must be answered within a second.
@Suite(.timeLimit(.minutes(20))) struct PassedDescriptorTests {
    private static let lingerSeconds: Int32 = 30
    private static let bound = Duration.seconds(1)
    /// Admits a single administrator's connection. The user who runs these tests is an administrator.
    private static let limiterOfOne = ConnectionLimiter(maxConnections: 1 - ControlLimits.administratorsReserve)

    private static var canRefuse: Bool {
        let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(probe) }
        return clinux_refuse_descriptors(probe) == 0
    }

    /// Passes a socket whose close blocks, with bytes, and closes this process's own reference to it.
    ///
    /// - Returns: errno of the refusal, or 0 if the socket was sent; and the socket, to be retained while it is to
    ///   linger.
    private static func passSocket(
        over client: UnixClient, with bytes: String, flags: Int32 = 0
    ) throws -> (errno: Int32, socket: LingeringSocket) {
        let socket = try LingeringSocket(seconds: lingerSeconds)
        let result = clinux_send_descriptor(client.descriptor, bytes, bytes.utf8.count, socket.descriptor, flags)
        let reason = result < 0 ? errno : 0
        // After a refusal this process has the only reference, and its close would block.
        if result >= 0 { socket.letGo() }
        return (reason, socket)
    }

    private static func expectPromptAnswer(_ service: Service, sourceLocation: SourceLocation = #_sourceLocation)
        throws
    {
        let began = SystemClock.now.boot
        let client = try service.connect()
        try client.send(CallText.status)
        #expect(try client.message()?.contains("\"watched\"") == true, sourceLocation: sourceLocation)
        #expect(SystemClock.now.boot - began < bound, sourceLocation: sourceLocation)
    }

    @Test(.enabled(if: canRefuse, "the kernel is older than 6.16"))
    func `a kernel that can refuse descriptors does so when they are sent`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            let (reason, socket) = try Self.passSocket(over: client, with: "{")
            #expect(reason == EPERM)
            try Self.expectPromptAnswer(service)
            withExtendedLifetime(socket) {}
        }
    }

    @Test(.enabled(if: canRefuse, "the kernel is older than 6.16"))
    func `a socket of the service manager refuses descriptors on later connections`() throws {
        let folder = try TemporaryFolder()
        let descriptor = UnixAddress.bound(folder.file("socket"), backlog: 8)
        let early = try UnixClient(to: folder.file("socket"))
        let listener = try ListeningSocket(activated: descriptor)
        let late = try UnixClient(to: folder.file("socket"))
        defer { withExtendedLifetime((early, late)) {} }
        #expect(Connection(clinux_accept(listener.descriptor)).mayPassDescriptors)
        #expect(!Connection(clinux_accept(listener.descriptor)).mayPassDescriptors)
        listener.remove()
    }

    @Test func `a client that passes a descriptor is dropped without delaying other clients`() async throws {
        try await Service.run(refusesDescriptors: false) { service in
            let client = try service.connect()
            try client.send(CallText.status)
            #expect(try client.message()?.contains("\"watched\"") == true)
            let (reason, socket) = try Self.passSocket(over: client, with: "{")
            #expect(reason == 0)
            try Self.expectPromptAnswer(service)
            #expect(try client.messagesToTheEnd() == [])
            withExtendedLifetime(socket) {}
        }
    }

    @Test func `closing a connection with an unread descriptor delays no other client`() async throws {
        try await Service.run(refusesDescriptors: false) { service in
            let client = try service.connect()
            try service.waitForSockets(2)
            let sockets = try service.onQueue { _ in
                // Both have arrived when the queue is free again, and the invalid message ends the conversation.
                try client.send("nonsense")
                return try [Self.passSocket(over: client, with: "{").socket]
            }
            try Self.expectPromptAnswer(service)
            #expect(try client.messagesToTheEnd() == [])
            withExtendedLifetime(sockets) {}
        }
    }

    @Test func `an unread descriptor of a client that hung up delays no other client`() async throws {
        try await Service.run(refusesDescriptors: false) { service in
            let client = try service.connect()
            try service.waitForSockets(2)
            // The descriptor stays unread, because more bytes have arrived than are buffered during a call. A Monitor
            // does not end by itself, whereas a Show ends when the provider's port refuses the connection.
            try client.send(CallText.monitor("removed"))
            try client.send(bytes: [UInt8](repeating: 0x20, count: ControlLimits.messageBytes + 100_000))
            let (reason, socket) = try Self.passSocket(over: client, with: "{")
            #expect(reason == 0)
            client.close()
            try service.waitForSockets(1)
            try Self.expectPromptAnswer(service)
            withExtendedLifetime(socket) {}
        }
    }

    @Test func `an unread descriptor of a refused client delays no other client`() async throws {
        try await Service.run(limiter: Self.limiterOfOne, refusesDescriptors: false) { service in
            let first = try service.connect()
            try first.send(CallText.status)
            #expect(try first.message()?.contains("\"watched\"") == true)
            let refused = try service.onQueue { _ in
                let client = try service.connect()
                return (client, try Self.passSocket(over: client, with: "{").socket)
            }
            let began = SystemClock.now.boot
            try first.send(CallText.status)
            #expect(try first.message()?.contains("\"watched\"") == true)
            #expect(SystemClock.now.boot - began < Self.bound)
            #expect(try refused.0.messagesToTheEnd() == [])
        }
    }

    @Test func `a client that passes a descriptor with an urgent byte is dropped`() async throws {
        try await Service.run(refusesDescriptors: false) { service in
            let client = try service.connect()
            try service.waitForSockets(2)
            let sockets = try service.onQueue { _ in
                try client.send(bytes: Array("{".utf8))
                let urgent = try Self.passSocket(over: client, with: "!", flags: Int32(MSG_OOB)).socket
                try client.send(bytes: Array("}".utf8))
                return [urgent]
            }
            try Self.expectPromptAnswer(service)
            #expect(try client.messagesToTheEnd() == [])
            withExtendedLifetime(sockets) {}
        }
    }

    @Test func `connections end at once even if their close waits for another one`() async throws {
        try await Service.run(refusesDescriptors: false) { service in
            let clients = try (0..<3).map { _ in try service.connect() }
            let sockets = try clients.map { try Self.passSocket(over: $0, with: "{").socket }
            for client in clients { #expect(try client.messagesToTheEnd() == []) }
            try Self.expectPromptAnswer(service)
            withExtendedLifetime(sockets) {}
        }
    }

    /// A closer whose close(2) blocks for invalid descriptors, each until the semaphore is signalled once.
    private static func blockedCloser(limit: Int) -> (ConnectionCloser, mayGoOn: DispatchSemaphore) {
        let mayGoOn = DispatchSemaphore(value: 0)
        return (ConnectionCloser(limit: limit) { if $0 < 0 { mayGoOn.wait() } else { close($0) } }, mayGoOn)
    }

    @Test func `a user whose closes block delays no other user`() async throws {
        let count = 10_000
        let (closer, mayGoOn) = Self.blockedCloser(limit: 2 * count)
        let done = Tally()
        for _ in 0..<count { closer.close(-1, of: geteuid() + 1) { done.note() } }
        try await Service.run(refusesDescriptors: false, closer: closer) { service in
            try Self.expectPromptAnswer(service)
            let client = try service.connect()
            let (_, socket) = try Self.passSocket(over: client, with: "{")
            #expect(try client.messagesToTheEnd() == [])
            try service.waitForSockets(1)
            try Self.expectPromptAnswer(service)
            withExtendedLifetime(socket) {}
        }
        #expect(done.count == 0)
        for _ in 0..<count { mayGoOn.signal() }
        #expect(done.wait(for: count, within: 60))
    }

    @Test func `a full closer delays new connections, but not existing ones`() async throws {
        let (closer, mayGoOn) = Self.blockedCloser(limit: 1)
        try await Service.run(closer: closer) { service in
            let client = try service.connect()
            try client.send(CallText.status)
            #expect(try client.message()?.contains("\"watched\"") == true)
            closer.close(-1, of: 1_000)
            #expect(closer.isFull)
            let late = try service.connect()
            try late.send(CallText.info)
            for _ in 0..<20 {
                try client.send(CallText.status)
                #expect(try client.message()?.contains("\"watched\"") == true)
            }
            var state = pollfd(fd: late.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&state, 1, 0) == 0)
            mayGoOn.signal()
            #expect(try late.message()?.contains("iprecordd") == true)
        }
    }
}
