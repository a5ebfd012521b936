import ArgumentParser

/// An address to listen on: `HOST:PORT`, with an IPv6 address in brackets, or `unix:PATH`.
enum ListenAddress: Hashable, Sendable, ExpressibleByArgument {
    case tcp(host: String, port: Int)
    case unix(path: String)

    init?(argument: String) {
        if argument.hasPrefix("unix:") {
            let path = argument.dropFirst("unix:".count)
            guard path.hasPrefix("/") else { return nil }
            self = .unix(path: String(path))
            return
        }
        guard let colon = argument.lastIndex(of: ":"),
            let port = UInt16(argument[argument.index(after: colon)...])
        else { return nil }
        var host = argument[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self = .tcp(host: String(host), port: Int(port))
    }
}
