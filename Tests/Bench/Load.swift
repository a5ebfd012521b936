import ArgumentParser
import Glibc

/// Sends one request repeatedly over many connections to a Unix socket, and measures the replies. It makes no
/// assumptions about the server, so different servers can be compared.
@main struct Load: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load", abstract: "Send one request repeatedly to a Unix socket, and measure the replies.")

    @Option(help: "Path of the socket.") var socket: String
    @Option(help: "File with the bytes of the request.") var request: String
    @Option(help: "Number of connections.") var connections = 1
    @Option(help: "Number of requests in flight per connection.") var pipelined = 1
    @Option(help: "Duration in seconds.") var seconds = 2.0

    func validate() throws {
        guard connections > 0, pipelined > 0, seconds > 0 else {
            throw ValidationError("--connections, --pipelined and --seconds must be greater than 0")
        }
    }

    func run() throws {
        let request = try Self.bytes(of: request)
        var load = try Measurement(
            path: socket, request: request, connections: connections, pipelined: pipelined)
        let result = try load.run(for: .nanoseconds(Int64(seconds * 1e9)))
        print(result)
    }

    private static func bytes(of path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemError(of: path) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { throw SystemError(of: path) }
        return Array(bytes[..<count])
    }
}

/// The error of a system call.
struct SystemError: Error, CustomStringConvertible {
    let description: String

    /// - Parameter what: the failed operation or its object; the description adds the text of `errno`.
    init(of what: String) {
        description = "\(what): \(String(cString: strerror(errno)))"
    }

    init(_ description: String) { self.description = description }
}
