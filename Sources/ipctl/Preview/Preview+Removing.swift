import Control
import Varlink

extension Preview {
    /// The removal of entries, with the labels that would be lost.
    ///
    /// - Parameters:
    ///   - names: the host names that would no longer be watched.
    ///   - staying: the addresses that would stay, because a file lists them or they belong to a host name.
    init(
        removing entries: [WatchedEntries.Entry], names: [String] = [], staying: [String] = [], summary: String
    ) {
        let listed = entries.map {
            ListedEntry(address: $0.address, tags: $0.tags, note: $0.note, isPinned: $0.pinned)
        }
        var members: [String: Value] = [
            "addresses": .array(listed.map { .string($0.address) }), "entries": .array(listed.map(\.value)),
        ]
        if !names.isEmpty { members["names"] = .array(names.map { .string($0) }) }
        if !staying.isEmpty { members["staying"] = .array(staying.map { .string($0) }) }
        self.init(lines: names + listed.map(\.line), document: .object(members), summary: summary)
    }
}

extension ListedEntry {
    /// The entry in the format of watch-list files (iprecord.watch(5)), which has no pins: the note of a pinned entry
    /// ends with "(pinned)".
    fileprivate var line: String {
        let remarks = [note, isPinned ? "(pinned)" : nil].compactMap { $0 }
        let comment = remarks.isEmpty ? [] : ["#"] + remarks
        return ([address] + tags + comment).joined(separator: " ").printable
    }

    /// The entry as in an exported file.
    fileprivate var value: Value {
        .object([
            "address": .string(address), "tags": .array(tags.map { .string($0) }),
            "note": note.map { .string($0) } ?? .null, "pinned": .bool(isPinned),
        ])
    }
}
