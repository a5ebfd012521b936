import Control
import RecordKeeping

/// Converts entries to calls; entries with the same labels and the same end share a call.
///
/// Only one window of entries is in memory at a time. No address occurs twice in a window, so the calls of a window can
/// be made concurrently and in any order. The sender waits for the replies between two windows, and before it pins the
/// entries of a window.
struct ImportCalls {
    private struct Labels: Hashable {
        let tags: [String]
        let note: String?
        let watchedUntil: Int64?
    }

    /// A step of the import, in order.
    enum Step {
        case call([UInt8])
        /// Wait for the replies to all earlier calls.
        case wait
    }

    private var groups: [Labels: [String]] = [:]
    private var pinned: [String] = []
    private var addresses: Set<String> = []

    /// Entries per window; a call with this many entries is at most half a megabyte long.
    static let entriesPerWindow = 10_000

    /// Adds an entry.
    ///
    /// - Returns: the steps of the previous window if it is full.
    mutating func add(_ entry: ListedEntry) -> [Step] {
        let isFull = addresses.count == Self.entriesPerWindow || addresses.contains(entry.address)
        let steps = isFull ? finish() : []
        addresses.insert(entry.address)
        let labels = Labels(tags: entry.tags, note: entry.note, watchedUntil: entry.watchedUntil)
        groups[labels, default: []].append(entry.address)
        if entry.isPinned { pinned.append(entry.address) }
        return steps
    }

    /// Returns the steps of the last window.
    mutating func finish() -> [Step] {
        guard !addresses.isEmpty else { return [] }
        defer { self = ImportCalls() }
        var steps = groups.map { labels, addresses in
            let parameters = Control.Add.Parameters(
                addresses: addresses, tags: labels.tags.isEmpty ? nil : labels.tags, note: labels.note,
                until: labels.watchedUntil)
            return Step.call(DaemonConnection.message("Add", parameters))
        }
        steps.append(.wait)
        if !pinned.isEmpty {
            steps += [
                .call(DaemonConnection.message("Label", Control.Label.Parameters(addresses: pinned, pinned: true))),
                .wait,
            ]
        }
        return steps
    }
}
