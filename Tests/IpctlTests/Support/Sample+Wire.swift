import Control
import RecordKeeping
import TestSupport
import Varlink

@testable import ipctl

/// Replies on the wire, for `WireServer`.
extension Sample {
    static func reply(_ parameters: some Encodable) -> [UInt8] { OutgoingReply.message(parameters) }

    /// A failure as on the wire, with the time of the next attempt relative to the actual time.
    static func failure(
        _ kind: Failure.Kind, _ message: String, nextAttemptIn milliseconds: Int64?
    ) throws -> Interface.Failure? {
        var failure = try entry(.failed, failure: kind).failure
        failure?.message = message
        failure?.nextAttemptAt = milliseconds.map { Times.now + $0 }
        return failure
    }

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
