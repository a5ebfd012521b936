import Control
import Foundation
import TestSupport
import Varlink

/// The output of `ipctl doctor`.
enum DoctorOutput {
    struct Document: Decodable, Hashable {
        var check: String
        var state: String
        var message: String
        var remedy: String?
    }

    /// Short time limits for name servers that do not reply (resolv.conf(5)).
    static let quickNames = ["RES_OPTIONS": "timeout:1 attempts:1"]

    static func documents(in ended: BuiltIpctl.Ended) throws -> [Document] {
        try ended.output.split(separator: "\n").map {
            try JSONDecoder().decode(Document.self, from: Data($0.utf8))
        }
    }

    /// Returns the replies to `Status`, to `Outages` and to `List`, with no outages.
    ///
    /// - Parameter changed: the entry whose changes the doctor reads; nil for none.
    static func replies(_ status: Control.Status.Reply, changed: Interface.Entry? = nil) -> [[UInt8]] {
        [
            OutgoingReply.message(status), OutgoingReply.message(Control.Outages.Reply(outages: [])),
            Sample.page([changed].compactMap { $0 }),
        ]
    }
}
