import Control

extension Preview {
    /// The addition of addresses with their labels. An address that is already on the list changes only if it would get
    /// other labels or a later end.
    ///
    /// - Parameters:
    ///   - lines: the addresses; an address can be on several lines.
    ///   - until: the requested end of all watches, in Unix milliseconds; nil for none.
    init(
        adding lines: [ListedEntry], until: Int64? = nil, on connection: DaemonConnection
    ) throws(CommandError) {
        let watched = try WatchedEntries(among: lines.map(\.address), on: connection).entries
        var (added, relabelled) = (Set<String>(), Set<String>())
        var changing: [String] = []
        for line in lines {
            let isNew: Bool
            if let entry = watched[line.address] {
                isNew = line.changes(entry) && relabelled.insert(line.address).inserted
            } else {
                isNew = added.insert(line.address).inserted
            }
            if isNew { changing.append(line.address) }
        }
        let counts = AdditionCounts(added: added.count, already: watched.count)
        let sentence = counts.sentence(verb: "would be added")
        let others =
            relabelled.isEmpty ? "" : ", of which \(Times.grouped(relabelled.count)) would change"
        let subject = changing.count == 1 ? "it" : "they"
        let end = until.map { "; \(subject) would be watched until \(Times.clock($0, from: Times.now))" } ?? ""
        self.init(addresses: changing, summary: sentence + others + (changing.isEmpty ? "" : end))
    }
}

extension ListedEntry {
    /// Whether the labels of an entry or the end of its watch would change.
    fileprivate func changes(_ entry: WatchedEntries.Entry) -> Bool {
        !Set(tags).isSubset(of: entry.tags) || isPinned && !entry.pinned
            || note.map { $0 != entry.note ?? "" } ?? false
            || entry.watchedUntil.map { end in watchedUntil.map { $0 > end } ?? true } ?? false
    }
}
