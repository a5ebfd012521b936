import Control
import RecordKeeping

/// Turns entries into calls: those with the same labels share one.
///
/// A window of entries is held at a time. Within a window no address stands twice, so that its calls may be carried out in
/// any order and side by side; between windows, and before the pins of one, whoever sends them has to wait.
struct ImportCalls {
    private struct Labels: Hashable {
        let tags: [String]
        let note: String?
    }

    /// What the daemon is sent, in order.
    enum Step {
        case call([UInt8])
        /// What came before has to be answered before what comes next is sent.
        case wait
    }

    private var groups: [Labels: [String]] = [:]
    private var pinned: [String] = []
    private var addresses: Set<String> = []

    /// One call's addresses at most: half a megabyte.
    static let entriesPerWindow = 10_000

    /// Takes one more.
    ///
    /// - Returns: the steps of the window that is full by this.
    mutating func add(_ entry: ListedEntry) -> [Step] {
        let isFull = addresses.count == Self.entriesPerWindow || addresses.contains(entry.address)
        let steps = isFull ? finish() : []
        addresses.insert(entry.address)
        groups[Labels(tags: entry.tags, note: entry.note), default: []].append(entry.address)
        if entry.isPinned { pinned.append(entry.address) }
        return steps
    }

    /// The steps of what is left.
    mutating func finish() -> [Step] {
        guard !addresses.isEmpty else { return [] }
        defer { self = ImportCalls() }
        var steps = groups.map { labels, addresses in
            let parameters = Control.Add.Parameters(
                addresses: addresses, tags: labels.tags.isEmpty ? nil : labels.tags, note: labels.note)
            return Step.call(Connection.message("Add", parameters))
        }
        steps.append(.wait)
        if !pinned.isEmpty {
            steps += [
                .call(Connection.message("Label", Control.Label.Parameters(addresses: pinned, pinned: true))), .wait,
            ]
        }
        return steps
    }
}
