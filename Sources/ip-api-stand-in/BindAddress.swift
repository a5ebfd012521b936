import ArgumentParser

/// An address to listen on: `HOST:PORT`, with an IPv6 address in brackets.
struct BindAddress: CustomStringConvertible {
    let host: String
    let port: Int

    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension BindAddress: ExpressibleByArgument {
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
        self.init(host: String(host), port: Int(port))
    }
}
