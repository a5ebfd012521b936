import Control
import Foundation
import Varlink

/// `ipctl doctor`, and what it said.
enum Consulted {
    struct Document: Decodable, Hashable {
        var check: String
        var state: String
        var message: String
        var remedy: String?
    }

    /// A name server that does not answer is given up soon (resolv.conf(5)).
    static let quickNames = ["RES_OPTIONS": "timeout:1 attempts:1"]

    static func documents(in ended: BuiltIpctl.Ended) throws -> [Document] {
        try ended.output.split(separator: "\n").map {
            try JSONDecoder().decode(Document.self, from: Data($0.utf8))
        }
    }

    /// A condition as the daemon says it, before the one that says of the outages that there were none.
    static func replies(_ status: Control.Status.Reply) -> [[UInt8]] {
        [OutgoingReply.message(status), OutgoingReply.message(Control.Outages.Reply(outages: []))]
    }
}
