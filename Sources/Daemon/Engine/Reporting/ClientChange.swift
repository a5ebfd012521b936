import Logging
import RecordKeeping

/// A client's change to the watch list, for the line that is logged once the change is committed.
///
/// Each request has only one line, regardless of its number of addresses. Otherwise, journald would drop the alerts
/// that follow a long list.
struct ClientChange {
    private enum Kind: String {
        case added, removed, labelled
    }

    private let user: UInt32
    private let addresses: [IPAddress]
    /// Whether the request sets labels of addresses that are already watched.
    private let hasLabels: Bool

    /// Maximum number of addresses in a line.
    private static let maxListed = 10

    /// - Returns: nil for a request that changes no entry of the watch list by itself.
    init?(_ request: Request) {
        switch request.body {
        case .add(let addresses, let tags, let note, _):
            (self.addresses, hasLabels) = (addresses, !tags.isEmpty || note != nil)
        case .remove(let addresses), .label(let addresses, _):
            (self.addresses, hasLabels) = (addresses, false)
        case .previewRemoval, .show, .known, .status, .metrics, .list, .count, .refresh, .history, .outages, .reload,
            .monitor:
            return nil
        }
        user = request.user
    }

    /// Returns the line with its journal fields; nil if the response shows that nothing has changed.
    func logLine(for response: Response) -> (message: String, fields: Logger.Metadata)? {
        switch response {
        case .added(let count, _, _) where count > 0: line(.added, "added", count)
        case .added(_, let already, _) where hasLabels && already > 0: line(.labelled, "set labels of", already)
        case .removed(let count, _) where count > 0: line(.removed, "removed", count)
        case .labelled(let count) where count > 0: line(.labelled, "changed the labels of", count)
        default: nil
        }
    }

    private func line(_ kind: Kind, _ verb: String, _ count: Int) -> (message: String, fields: Logger.Metadata) {
        var fields: Logger.Metadata = ["IPRECORD_EVENT": "\(kind.rawValue)", "IPRECORD_USER": "\(user)"]
        guard addresses.count > 1 else {
            fields["IPRECORD_ADDRESS"] = "\(addresses[0])"
            return ("user \(user) \(verb) \(addresses[0])", fields)
        }
        let number = count < addresses.count ? "\(count) of \(addresses.count)" : "\(count)"
        let listed = addresses.prefix(Self.maxListed).map { "\($0)" }.joined(separator: ", ")
        let rest = addresses.count - Self.maxListed
        return ("user \(user) \(verb) \(number) addresses: \(listed)\(rest > 0 ? " and \(rest) more" : "")", fields)
    }
}
