import CLinux
import Foundation
import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct PeerCredentialsTests {
    @Test func `a socket pair has the credentials of this process`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let credentials = try #require(PeerCredentials(of: ends[0]))
        var groups = [gid_t](repeating: 0, count: Int(getgroups(0, nil)))
        #expect(getgroups(Int32(groups.count), &groups) == Int32(groups.count))
        #expect(credentials.user == geteuid())
        #expect(credentials.groups == Set(groups).union([getegid()]))
        #expect(credentials.isAdministrator(group: nil))
    }

    @Test func `an invalid descriptor has no credentials`() {
        #expect(PeerCredentials(of: -1) == nil)
    }

    @Test func `a group is found by name`() throws {
        #expect(try PeerCredentials.group(named: "root") == 0)
        #expect(try PeerCredentials.group(named: "no-such-group-here") == nil)
        #expect(try PeerCredentials.group(named: "") == nil)
    }

    /// The credentials of a connection that perl made under setpriv(1), with these options.
    private static func stranger(_ options: String...) throws -> PeerCredentials {
        let folder = try TemporaryFolder()
        chmod(folder.path, 0o755)
        let socket = try ListeningSocket(path: folder.file("a.sock"))
        defer { socket.remove() }
        let script = "socket(S, 1, 1, 0); connect(S, pack('S a*', 1, $ARGV[0])) or die $!; sysread(S, $x, 1)"
        let process = try ChildProcess(
            [setpriv, "--reuid=65534", "--regid=65534"] + options + [perl, "-e", script, folder.file("a.sock")])
        var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        try #require(poll(&waiting, 1, 60_000) == 1)
        let descriptor = accept(socket.descriptor, nil, nil)
        let credentials = PeerCredentials(of: descriptor)
        close(descriptor)
        process.awaitEnd()
        return try #require(credentials)
    }

    private static let (setpriv, perl) = ("/usr/bin/setpriv", "/usr/bin/perl")
    private static let canBeAStranger = geteuid() == 0 && access(setpriv, X_OK) == 0 && access(perl, X_OK) == 0

    @Test(.enabled(if: canBeAStranger, "needs root, setpriv and perl"))
    func `another user is not an administrator`() throws {
        let credentials = try Self.stranger("--clear-groups")
        #expect(credentials.user == 65_534)
        #expect(credentials.groups == [65_534])
        #expect(!credentials.isAdministrator(group: nil))
        #expect(!credentials.isAdministrator(group: 54_321))
    }

    @Test(.enabled(if: canBeAStranger, "needs root, setpriv and perl"))
    func `a member of the administrators' group is an administrator, by any of its groups`() throws {
        let many = (0..<200).map { "\(50_000 + $0)" }.joined(separator: ",")
        let credentials = try Self.stranger("--groups=\(many),54321")
        #expect(credentials.groups.count == 202)
        #expect(credentials.isAdministrator(group: 54_321))
        #expect(credentials.isAdministrator(group: 65_534))
        #expect(!credentials.isAdministrator(group: 54_322))
    }
}
