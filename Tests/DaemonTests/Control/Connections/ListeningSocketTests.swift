import Foundation
import Glibc
import TestSupport
import Testing

@testable import Daemon

@Suite struct ListeningSocketTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("control.sock") }

    init() throws { folder = try TemporaryFolder() }

    private func mode(of path: String) -> mode_t? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    @Test func `every user may connect, whatever the umask`() throws {
        let before = umask(0o077)
        defer { umask(before) }
        let socket = try ListeningSocket(path: path)
        defer { socket.remove() }
        #expect(mode(of: path) == 0o666)
        #expect(socket.path == path)
        _ = try UnixClient(to: path)
    }

    @Test func `the socket is non-blocking and not inherited`() throws {
        let socket = try ListeningSocket(path: path)
        defer { socket.remove() }
        // F_GETFL and F_GETFD ignore the third argument.
        #expect(fcntl(socket.descriptor, F_GETFL, 0) & O_NONBLOCK != 0)
        #expect(fcntl(socket.descriptor, F_GETFD, 0) & FD_CLOEXEC != 0)
    }

    @Test func `a socket file without a listener is replaced`() throws {
        close(UnixAddress.bound(path, backlog: 1))
        #expect(mode(of: path) != nil)
        let socket = try ListeningSocket(path: path)
        defer { socket.remove() }
        _ = try UnixClient(to: path)
    }

    @Test func `a second listener is refused with the pid of the first, which is not disturbed`() throws {
        let first = try ListeningSocket(path: path)
        defer { first.remove() }
        let error = #expect(throws: SystemError.self) { try ListeningSocket(path: path) }
        #expect(error?.errno == EADDRINUSE)
        #expect(error?.description.contains(path) == true)
        #expect(error?.advice == "pid \(getpid()) is already listening on it")
        _ = try UnixClient(to: path)
    }

    @Test func `a path whose listener has a full backlog is refused at once`() throws {
        let stuck = UnixAddress.bound(path, backlog: 0)
        defer { close(stuck) }
        // One connection fills the backlog; the next one would wait until it is accepted.
        let waiting = try UnixClient(to: path)
        let (path, done, refused) = (path, Tally(), Tally())
        Thread.detachNewThread {
            do throws(SystemError) {
                try ListeningSocket(path: path).remove()
            } catch {
                let advice = "another process is already listening on it"
                if error.errno == EADDRINUSE, error.advice == advice { refused.note() }
            }
            done.note()
        }
        #expect(done.wait(for: 1))
        #expect(refused.count == 1)
        #expect(mode(of: path) != nil)
        waiting.close()
    }

    @Test func `a file that is not a socket is kept, and so is a link`() throws {
        let file = try folder.write("precious", to: "file")
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: file)
        for path in [file, folder.file("link"), folder.path] {
            let error = #expect(throws: SystemError.self) { try ListeningSocket(path: path) }
            #expect(error?.errno == EEXIST)
            #expect(error?.description.contains(path) == true)
        }
        #expect(try String(contentsOfFile: folder.file("link"), encoding: .utf8) == "precious")
    }

    @Test func `a path has at most 107 bytes`() throws {
        let maximum = folder.path + "/" + String(repeating: "a", count: 107 - folder.path.utf8.count - 1)
        let socket = try ListeningSocket(path: maximum)
        _ = try UnixClient(to: maximum)
        socket.remove()
        let error = #expect(throws: SystemError.self) { try ListeningSocket(path: maximum + "a") }
        #expect(error?.errno == ENAMETOOLONG)
        #expect(error?.advice.contains("107") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `a missing directory is reported`() {
        let path = folder.file("missing/control.sock")
        let error = #expect(throws: SystemError.self) { try ListeningSocket(path: path) }
        #expect(error?.errno == ENOENT)
        #expect(error?.advice.contains("directory") == true)
    }

    @Test func `the daemon's own socket file is removed, and that of the service manager stays`() throws {
        try ListeningSocket(path: path).remove()
        #expect(mode(of: path) == nil)
        let activated = try ListeningSocket(activated: UnixAddress.bound(path, backlog: 1))
        #expect(activated.path == nil)
        #expect(fcntl(activated.descriptor, F_GETFL, 0) & O_NONBLOCK != 0)
        activated.remove()
        #expect(mode(of: path) != nil)
    }
}
