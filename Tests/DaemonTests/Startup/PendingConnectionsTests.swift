import CLinux
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct PendingConnectionsTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `close returns at once if no connection waits`() throws {
        let listener = UnixAddress.bound(folder.file("a.sock"), backlog: 5)
        defer { close(listener) }
        let began = ContinuousClock.now
        PendingConnections(descriptors: [listener]).close(for: .seconds(3_600))
        PendingConnections(descriptors: []).close(for: .seconds(3_600))
        #expect(ContinuousClock.now - began < .seconds(60))
    }

    @Test func `every waiting connection is closed, at every socket`() throws {
        let paths = [folder.file("a.sock"), folder.file("b.sock")]
        let listeners = paths.map { UnixAddress.bound($0, backlog: 5) }
        defer { for listener in listeners { close(listener) } }
        let clients = try (paths + paths).map { try UnixClient(to: $0) }
        for client in clients { try client.send("{}") }
        PendingConnections(descriptors: listeners).close(for: .zero)
        for client in clients { #expect(try client.messagesToTheEnd() == []) }
    }

    @Test func `later connections are closed, too, for the given time`() throws {
        let path = folder.file("a.sock")
        let listener = UnixAddress.bound(path, backlog: 5)
        defer { close(listener) }
        let (first, done) = (try UnixClient(to: path), Tally())
        Thread.detachNewThread {
            PendingConnections(descriptors: [listener]).close(for: .seconds(1))
            done.note()
        }
        #expect(try first.messagesToTheEnd() == [])
        let later = try UnixClient(to: path)
        #expect(try later.messagesToTheEnd() == [])
        #expect(done.count == 0, "the daemon is still there")
        #expect(done.wait(for: 1))
    }

    @Test func `an endless stream of connections does not extend the time`() throws {
        let path = folder.file("a.sock")
        let listener = UnixAddress.bound(path, backlog: 5)
        defer { close(listener) }
        let client = try UnixClient(to: path)
        // Each accept succeeds, and the connection above stays in the queue.
        var accepted = 0
        PendingConnections(descriptors: [listener]) { _ in
            accepted += 1
            guard accepted < 100_000 else { return -1 }
            return open("/dev/null", O_RDONLY | O_CLOEXEC)
        }.close(for: .zero)
        #expect(accepted == Int(SOMAXCONN))
        withExtendedLifetime(client) {}
    }

    @Test func `a passed descriptor whose close blocks causes no delay`() throws {
        let path = folder.file("a.sock")
        let listener = UnixAddress.bound(path, backlog: 5)
        defer { close(listener) }
        let client = try UnixClient(to: path)
        let socket = try LingeringSocket(seconds: 60)
        #expect(clinux_send_descriptor(client.descriptor, "{", 1, socket.descriptor, 0) == 0)
        socket.letGo()
        let began = ContinuousClock.now
        PendingConnections(descriptors: [listener]).close(for: .zero)
        #expect(ContinuousClock.now - began < .seconds(30))
        #expect(try client.messagesToTheEnd() == [])
        withExtendedLifetime(socket) {}
    }
}
