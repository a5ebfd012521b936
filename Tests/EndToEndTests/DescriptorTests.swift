import Foundation
import Testing

/// More clients connect than the daemon has file descriptors.
@Suite(.serialized) struct DescriptorTests {
    /// Opens N connections, calls `Status` on each, prints the number of replies, and keeps the connections open until
    /// it is killed.
    private static let manyClients = """
        import socket, sys, time
        clients, answered = [], 0
        for _ in range(int(sys.argv[2])):
            client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            client.settimeout(10)
            client.connect(sys.argv[1])
            clients.append(client)
            try:
                client.sendall(b'{"method":"io.iprecord.Control.Status"}\\0')
                answered += client.recv(65536) != b""
            except ConnectionError:
                pass
        clients[0].sendall(b'{"method":"io.iprecord.Control.Status"}\\0')
        print("answered", answered, "and again" if clients[0].recv(65536) else "", flush=True)
        time.sleep(3600)
        """

    @Test func `without descriptors new clients are rejected, and service resumes when descriptors are free`() throws {
        let rig = try Rig(
            mockProvider: Rig.unlimited, surroundings: Surroundings(descriptors: 80))
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "fresh")
        let manyClients = try Program(["/usr/bin/env", "python3", "-c", Self.manyClients, rig.socket, "200"])
        let line = try manyClients.waitForLine(containing: "answered ", within: 60)
        let answered = try #require(line.split(separator: " ").dropFirst().first.flatMap { Int($0) })
        #expect((20..<80).contains(answered), "\(line)")
        #expect(line.hasSuffix("and again"), "existing clients are still served: \(line)")
        try rig.daemon?.waitForLine(containing: "no file descriptors left")
        try manyClients.stop(with: SIGKILL)
        // The daemon closes its descriptors a moment later, and no event signals it, so the client retries.
        let deadline = Date(timeIntervalSinceNow: 10)
        while try rig.ipctl("status").status != 0, deadline.timeIntervalSinceNow > 0 {}
        try rig.ipctl("add", "8.8.8.8")
        #expect(try rig.entry("8.8.8.8", wait: 30)["state"] as? String == "fresh")
        #expect(try rig.ipctl("status").status == 0)
    }

    @Test func `the daemon raises its soft limit to the hard limit`() throws {
        let rig = try Rig(
            mockProvider: Rig.unlimited, surroundings: Surroundings(descriptors: 80, maxDescriptors: 2_000))
        let manyClients = try Program(["/usr/bin/env", "python3", "-c", Self.manyClients, rig.socket, "200"])
        let line = try manyClients.waitForLine(containing: "answered ", within: 60)
        #expect(line == "answered 200 and again")
        try manyClients.stop(with: SIGKILL)
    }
}
