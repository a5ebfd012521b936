import Control

/// The card of an address, with its history.
struct TopCard: Hashable {
    enum Changes: Hashable {
        case unread
        case read([Interface.Change])
        case failed(String)
    }

    /// The entry as last read.
    private(set) var entry: Interface.Entry
    var changes = Changes.unread
    /// The first visible line.
    var offset = 0

    init(_ entry: Interface.Entry) {
        self.entry = entry
    }

    var address: String { entry.address }

    /// Returns the parameters of the call that reads only one entry. Unlike `Show`, `List` never causes a call to the
    /// provider.
    static func entryParameters(of address: String) -> Control.List.Parameters {
        Control.List.Parameters(search: "\(address)/\(address.contains(":") ? 128 : 32)", limit: 1)
    }

    /// Replaces the entry with a newer one.
    mutating func update(_ newer: Interface.Entry) {
        if newer.address == address { entry = newer }
    }

    /// Handles the reply to the call with `entryParameters`.
    mutating func update(_ reply: Control.List.Reply) {
        if let newer = reply.entries.first { update(newer) } else { entry.watched = false }
    }

    /// Returns the lines of the card and the history.
    func lines(columns: Int, now: Int64) -> [StyledLine] {
        let card = EntryCard(entry: entry, now: now).card.styledLines(columns: columns)
        return (card + [StyledLine(), StyledLine("History", .bold)] + history).flatMap { $0.broken(to: columns) }
    }

    private var history: [StyledLine] {
        switch changes {
        case .unread: return [StyledLine("reading …", .dim)]
        case .failed(let message): return [StyledLine(message, .bad)]
        case .read(let changes) where changes.isEmpty: return [StyledLine("no changes recorded", .dim)]
        case .read(let changes):
            let lines = changes.flatMap { ChangeLines(change: $0).styledLines }
            guard changes.count >= Control.History.defaultLimit else { return lines }
            return lines + [StyledLine("older changes: ipctl history \(address) --limit 10000", .dim)]
        }
    }
}
