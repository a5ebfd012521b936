import ArgumentParser

/// An address to listen on: `HOST:PORT`, with an IPv6 address in brackets.
struct BindAddress: ExpressibleByArgument, CustomStringConvertible {
    let host: String
    let port: Int

    init?(argument: String) {
        guard let colon = argument.lastIndex(of: ":"), let port = UInt16(argument[colon...].dropFirst()) else {
            return nil
        }
        var host = argument[..<colon]
        if host.first == "[", host.last == "]" {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }

    /// - Parameter literal: a valid address; an invalid one is a programming error.
    init(_ literal: String) {
        guard let address = BindAddress(argument: literal) else {
            preconditionFailure("\"\(literal)\" is not HOST:PORT")
        }
        self = address
    }

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
