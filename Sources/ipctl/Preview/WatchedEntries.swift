import Control

/// The labels of addresses that are on the watch list now. The whole list is read: no method of the daemon returns
/// the entries of selected addresses without looking up those that are not watched.
struct WatchedEntries {
    /// The members of an entry that a preview compares.
    struct Entry: Decodable {
        let address: String
        let state: String
        let origin: String?
        let pinned: Bool
        let tags: [String]
        let note: String?
        let watchedUntil: Int64?
    }

    private struct Page: ContinuablePage, Decodable {
        let next: String?
        let entries: [Entry]
    }

    /// By address, in canonical form.
    private(set) var entries: [String: Entry] = [:]

    /// - Parameter addresses: in canonical form.
    init(among addresses: [String], on connection: DaemonConnection) throws(CommandError) {
        let wanted = Set(addresses)
        try Self.read(nil, on: connection) { entry in
            if wanted.contains(entry.address) { entries[entry.address] = entry }
        }
    }

    /// Returns the addresses of the entries that match a filter, in the order of the list.
    static func addresses(
        matching filter: Interface.Filter?, on connection: DaemonConnection
    ) throws(CommandError) -> [String] {
        var (found, seen): ([String], Set<String>) = ([], [])
        try read(filter, on: connection) { entry in
            // An entry that is pinned or unpinned between two pages can be on both.
            if seen.insert(entry.address).inserted { found.append(entry.address) }
        }
        return found
    }

    private static func read(
        _ filter: Interface.Filter?, on connection: DaemonConnection, each: (Entry) -> Void
    ) throws(CommandError) {
        try ListPages(parameters: Control.List.Parameters(filter: filter)).read(as: Page.self, from: connection) {
            _, page in page.entries.forEach(each)
        }
    }

    /// Returns the entries of the addresses in their order.
    ///
    /// - Throws: the error of the daemon for the first address that is not on the list.
    func all(of addresses: [String]) throws(CommandError) -> [Entry] {
        var found: [Entry] = []
        for address in addresses {
            guard let entry = entries[address] else { throw CommandError(.notWatched(address), from: "") }
            found.append(entry)
        }
        return found
    }
}
