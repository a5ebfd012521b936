import Foundation
import TestSupport
import Testing

@Suite struct ActivatedSocketTests {
    /// Starts the probe with a socket as descriptor 3, as the service manager does.
    private static func run(_ socket: UnixSocket, environment: [String: String]) throws -> Probe.Ended {
        try Probe.run(
            ["/bin/sh", "-c", "LISTEN_PID=${OTHER_PID-$$} exec \"$0\" sockets 3<&0", Probe.path],
            environment: environment, input: FileHandle(fileDescriptor: socket.descriptor, closeOnDealloc: false))
    }

    @Test func `takeAll returns a listening socket with its name, and removes the variables`() throws {
        let folder = try TemporaryFolder()
        let socket = try UnixSocket(SOCK_STREAM, at: folder.file("control"), isListening: true)
        let ended = try Self.run(socket, environment: ["LISTEN_FDS": "1", "LISTEN_FDNAMES": "control"])
        #expect(ended == .init(status: 0, output: "control 3\nleft: nothing\n", errors: ""))
    }

    @Test func `a socket without a name is called unknown`() throws {
        let folder = try TemporaryFolder()
        let socket = try UnixSocket(SOCK_STREAM, at: folder.file("control"), isListening: true)
        #expect(try Self.run(socket, environment: ["LISTEN_FDS": "1"]).output == "unknown 3\nleft: nothing\n")
    }

    @Test(arguments: [(SOCK_DGRAM.rawValue, false), (SOCK_STREAM.rawValue, false)])
    func `a socket that clients cannot connect to is an error`(kind: UInt32, isListening: Bool) throws {
        let folder = try TemporaryFolder()
        let socket = try UnixSocket(__socket_type(kind), at: folder.file("control"), isListening: isListening)
        let ended = try Self.run(socket, environment: ["LISTEN_FDS": "1", "LISTEN_FDNAMES": "control"])
        let reason = """
            the activated socket control (descriptor 3) is not a listening AF_UNIX stream socket; \
            the .socket unit needs ListenStream= with a path\n
            """
        #expect(ended == .init(status: 1, output: "", errors: reason))
    }

    @Test func `sockets for another process are ignored`() throws {
        let folder = try TemporaryFolder()
        let socket = try UnixSocket(SOCK_STREAM, at: folder.file("control"), isListening: true)
        let ended = try Self.run(socket, environment: ["LISTEN_FDS": "1", "OTHER_PID": "1"])
        #expect(ended == .init(status: 0, output: "left: nothing\n", errors: ""))
    }

    @Test func `an invalid count of sockets is an error`() throws {
        let folder = try TemporaryFolder()
        let socket = try UnixSocket(SOCK_STREAM, at: folder.file("control"), isListening: true)
        let ended = try Self.run(socket, environment: ["LISTEN_FDS": "many"])
        #expect(ended.status == 1)
        #expect(ended.errors.hasPrefix("cannot receive the sockets of the service manager"))
    }
}
