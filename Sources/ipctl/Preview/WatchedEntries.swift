import Control

/// The labels of addresses that are on the watch list now. The whole list is read: no method of the daemon returns
/// entries of a selection of addresses without looking up those that are not watched.
struct WatchedEntries {
    /// The members of an entry that a preview compares.
    struct Entry: Decodable {
        let address: String
        let origin: String?
        let pinned: Bool
        let tags: [String]
        let note: String?
    }

    private struct Page: ContinuablePage {
        let next: String?
        let entries: [Entry]
    }

    /// By address, in canonical form.
    private(set) var entries: [String: Entry] = [:]

    /// - Parameters:
    ///   - addresses: in canonical form.
    ///   - filter: a condition that the entries meet; nil for none.
    init(
        among addresses: [String], filter: Interface.Filter? = nil, on connection: DaemonConnection
    ) throws(CommandError) {
        let wanted = Set(addresses)
        for entry in try Self.matching(filter, on: connection) where wanted.contains(entry.address) {
            entries[entry.address] = entry
        }
    }

    /// Returns the entries that match a filter, in the order of the list.
    static func matching(_ filter: Interface.Filter?, on connection: DaemonConnection) throws(CommandError) -> [Entry] {
        var found: [Entry] = []
        try ListPages(parameters: Control.List.Parameters(filter: filter)).read(as: Page.self, from: connection) {
            _, page in found += page.entries
        }
        return found
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
