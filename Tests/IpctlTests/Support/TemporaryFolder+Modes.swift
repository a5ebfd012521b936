import Foundation
import Glibc
import TestSupport

extension TemporaryFolder {
    /// Sets the mode of the directory, public by default.
    func open(_ mode: mode_t = 0o755) {
        chmod(path, mode)
    }

    @discardableResult
    func makeFolder(_ name: String, mode: mode_t = 0o755) throws -> String {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        chmod(file(name), mode)
        return file(name)
    }

    /// Writes a file with a mode, whatever the umask.
    @discardableResult
    func write(_ text: String, to name: String, mode: mode_t) throws -> String {
        let path = try write(text, to: name)
        chmod(path, mode)
        return path
    }

    /// Creates a socket without a listener, as a killed daemon leaves it.
    @discardableResult
    func makeStaleSocket(_ name: String, mode: mode_t = 0o666) throws -> String {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(file(name).utf8)) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }
        chmod(file(name), mode)
        return file(name)
    }

    /// Creates a file in place of a user's socket.
    func makeUserSocket() throws -> String {
        try FileManager.default.createDirectory(atPath: file("iprecord"), withIntermediateDirectories: false)
        return try write("", to: "iprecord/control.sock")
    }
}
