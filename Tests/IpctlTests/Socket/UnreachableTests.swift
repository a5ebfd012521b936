import Foundation
import TestSupport
import Testing

/// Files that are not sockets and sockets without access, with the built program.
@Suite struct UnreachableTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func first(_ socket: String, status: Int32) throws -> String? {
        let ended = try BuiltIpctl.run(["--socket", socket, "status"])
        #expect(ended.status == status)
        #expect(ended.output == "")
        return ended.errorLines.first
    }

    @Test func `a file that is not a socket is reported`() throws {
        let file = try folder.write("", to: "a")
        #expect(try first(file, status: 69) == "ipctl: cannot connect to the daemon at \(file): it is not a socket")
        let expectedText = "ipctl: cannot connect to the daemon at \(folder.path): it is a directory, not a socket"
        #expect(try first(folder.path, status: 69) == expectedText)
    }

    @Test func `a socket without a listener counts as a socket`() throws {
        let socket = try folder.makeStaleSocket("control.sock")
        #expect(
            try first(socket, status: 69)
                == "ipctl: cannot connect to the daemon at \(socket): Connection refused")
    }

    @Test func `an empty path is a usage error, for each command`() throws {
        for arguments in [["--socket", "", "status"], ["status", "--socket", ""], ["--socket", "", "doctor"]] {
            let ended = try BuiltIpctl.run(arguments, environment: ["IPRECORD_SOCKET": "/no"])
            #expect(ended.status == 64)
            #expect(ended.errorLines.first == "ipctl: --socket requires the path of a socket")
        }
    }

    @Test func `a path that is too long is a usage error, as an option and as a variable`() throws {
        let path = "/" + String(repeating: "a", count: 107)
        #expect(try first(path, status: 64) == "ipctl: a socket path can be at most 107 bytes long")
        let ended = try BuiltIpctl.run(["status"], environment: ["IPRECORD_SOCKET": path])
        #expect(ended.status == 64)
        #expect(ended.errorLines == ["ipctl: a socket path can be at most 107 bytes long; this one has 108: \(path)"])
    }

    @Test(.enabled(if: UnprivilegedUser.isPossible))
    func `a user whom the mode excludes sees the users who can connect`() throws {
        folder.open()
        let socket = try folder.makeStaleSocket("control.sock", mode: 0o600)
        let ended = try BuiltIpctl.run(["--socket", socket, "status"], prefix: UnprivilegedUser.prefix)
        #expect(ended.status == 77)
        #expect(
            ended.errorLines == [
                "ipctl: cannot open the socket \(socket): Permission denied",
                "With its mode 0600, only root can connect. Use sudo. If all users should have access, see ipctl "
                    + "doctor.",
            ])
    }

    @Test(.enabled(if: UnprivilegedUser.isPossible))
    func `a user without access to the directory sees an error about the directory`() throws {
        folder.open(0o700)
        let socket = try folder.makeStaleSocket("control.sock")
        let ended = try BuiltIpctl.run(["--socket", socket, "status"], prefix: UnprivilegedUser.prefix)
        #expect(ended.status == 77)
        #expect(ended.errorLines.last?.hasPrefix("You have no access to a directory of the socket") == true)
    }
}
