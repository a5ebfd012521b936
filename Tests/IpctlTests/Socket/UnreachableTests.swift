import Foundation
import Testing

/// Sockets that are none, or not for everybody, as the built program tells of them.
@Suite struct UnreachableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func first(_ socket: String, status: Int32) throws -> String? {
        let ended = try BuiltIpctl.run(["--socket", socket, "status"])
        #expect(ended.status == status)
        #expect(ended.output == "")
        return ended.errorLines.first
    }

    @Test func `what is no socket is told as that`() throws {
        let file = try folder.write("", to: "a")
        #expect(try first(file, status: 69) == "ipctl: no daemon answers at \(file): it is no socket")
        let told = "ipctl: no daemon answers at \(folder.path): it is a folder and no socket"
        #expect(try first(folder.path, status: 69) == told)
    }

    @Test func `a socket that nobody listens at is one`() throws {
        let socket = try folder.makeStaleSocket("control.sock")
        #expect(try first(socket, status: 69) == "ipctl: no daemon answers at \(socket): Connection refused")
    }

    @Test func `an empty path is a usage error, for each command`() throws {
        for arguments in [["--socket", "", "status"], ["status", "--socket", ""], ["--socket", "", "doctor"]] {
            let ended = try BuiltIpctl.run(arguments, environment: ["IPRECORD_SOCKET": "/no"])
            #expect(ended.status == 64)
            #expect(ended.errorLines.first == "ipctl: --socket is empty: it takes the path of a socket")
        }
    }

    @Test func `a path that is too long is a usage error, wherever it was said`() throws {
        let path = "/" + String(repeating: "a", count: 107)
        #expect(try first(path, status: 64) == "ipctl: the path of a socket has at most 107 bytes")
        let ended = try BuiltIpctl.run(["status"], environment: ["IPRECORD_SOCKET": path])
        #expect(ended.status == 64)
        #expect(ended.errorLines == ["ipctl: the path of a socket has at most 107 bytes: this has 108: \(path)"])
    }

    @Test(.enabled(if: Stranger.isPossible)) func `who may not open it is told so, and what its mode should be`() throws
    {
        folder.open()
        let socket = try folder.makeStaleSocket("control.sock", mode: 0o600)
        let ended = try BuiltIpctl.run(["--socket", socket, "status"], prefix: Stranger.prefix)
        #expect(ended.status == 77)
        #expect(
            ended.errorLines == [
                "ipctl: you may not open the socket \(socket): Permission denied",
                "Its mode should be 0666, and that of its folder 0755; ipctl doctor looks at them.",
            ])
    }
}
