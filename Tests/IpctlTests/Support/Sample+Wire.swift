import Control
import TestSupport
import Varlink

/// Replies on the wire, for `WireServer`.
extension Sample {
    static func reply(_ parameters: some Encodable) -> [UInt8] { OutgoingReply.message(parameters) }

    static func page(_ entries: [Interface.Entry], next: String? = nil, total: Int? = nil) -> [UInt8] {
        reply(Control.List.Reply(entries: entries, next: next, total: total ?? entries.count))
    }
}

extension BuiltIpctl {
    /// Runs the program with the socket of a server.
    static func run(_ server: WireServer, _ arguments: String..., environment: [String: String] = [:]) throws -> Ended {
        try run(["--socket", server.path] + arguments, environment: environment)
    }
}
