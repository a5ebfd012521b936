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
    private var names: [HostName] = []
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
        case .addNames(let names, let tags, let note):
            (addresses, hasLabels) = ([], !tags.isEmpty || note != nil)
            self.names = names
        case .removeNames(let names):
            (addresses, hasLabels) = ([], false)
            self.names = names
        case .previewRemoval, .show, .known, .status, .metrics, .list, .count, .refresh, .history, .outages, .reload,
            .monitor, .names, .nameHistory:
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
        case .namesAdded(let count, _) where count > 0: line(.added, "added", count)
        case .namesAdded(_, let already) where hasLabels && already > 0: line(.labelled, "set labels of", already)
        case .namesRemoved(let count) where count > 0: line(.removed, "removed", count)
        case .labelled(let count) where count > 0: line(.labelled, "changed the labels of", count)
        default: nil
        }
    }

    private func line(_ kind: Kind, _ verb: String, _ count: Int) -> (message: String, fields: Logger.Metadata) {
        var fields: Logger.Metadata = ["IPRECORD_EVENT": "\(kind.rawValue)", "IPRECORD_USER": "\(user)"]
        let subjects = addresses.map(\.description) + names.map(\.description)
        guard subjects.count > 1 else {
            if let address = addresses.first { fields["IPRECORD_ADDRESS"] = "\(address)" }
            return ("user \(user) \(verb) \(subjects[0])", fields)
        }
        let number = count < subjects.count ? "\(count) of \(subjects.count)" : "\(count)"
        let listed = subjects.prefix(Self.maxListed).joined(separator: ", ")
        let rest = subjects.count - Self.maxListed
        let noun = names.isEmpty ? "addresses" : "host names"
        return ("user \(user) \(verb) \(number) \(noun): \(listed)\(rest > 0 ? " and \(rest) more" : "")", fields)
    }
}
