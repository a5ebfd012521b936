import Control

/// The part of the watch list that is on the screen, read in chunks of some entries.
///
/// The list is asked for from a cursor on, which is known for a chunk once the one before it was read. So whoever goes down
/// gets from each chunk to the next; the cursors are kept, and the way back is short.
struct ListWindow: Hashable {
    /// What the whole list is searched for.
    struct Filter: Hashable {
        var search: String?
        var state: String?
    }

    let filter: Filter
    /// Entries on the list that match; nil until the first chunk is there.
    private(set) var total: Int?
    private var chunks: [Int: [Interface.Entry]] = [:]
    /// What each chunk begins after; the first begins after nothing.
    private var cursors: [Int: String] = [:]

    /// So few that asking for what is seen costs the daemon little, so many that a small screen needs one or two.
    static let chunkEntries = 32

    init(filter: Filter = Filter()) {
        self.filter = filter
    }

    /// - Parameter position: in the whole list.
    /// - Returns: nil for what is not there, or not yet.
    subscript(position: Int) -> Interface.Entry? {
        guard position >= 0, let chunk = chunks[position / Self.chunkEntries] else { return nil }
        let index = position % Self.chunkEntries
        return index < chunk.count ? chunk[index] : nil
    }

    /// The chunks that hold these positions.
    static func chunks(of positions: Range<Int>) -> Range<Int> {
        guard !positions.isEmpty else { return 0..<0 }
        return positions.lowerBound / chunkEntries..<(positions.upperBound - 1) / chunkEntries + 1
    }

    /// The chunk to ask for on the way to those that are seen; nil where all of them are there, or where the list ends.
    func missing(of seen: Range<Int>) -> Int? {
        guard let missing = seen.first(where: { chunks[$0] == nil }) else { return nil }
        // As near as the cursors lead.
        guard let reachable = (0...missing).last(where: { $0 == 0 || cursors[$0] != nil }) else { return nil }
        let isBeyondEnd = total.map { missing > 0 && missing * Self.chunkEntries >= $0 } ?? false
        return isBeyondEnd || chunks[reachable] != nil ? nil : reachable
    }

    /// What to ask for a chunk with.
    func parameters(of chunk: Int) -> Control.List.Parameters {
        Control.List.Parameters(
            search: filter.search, state: filter.state, after: cursors[chunk], limit: Int64(Self.chunkEntries))
    }

    mutating func take(_ reply: Control.List.Reply, chunk: Int) {
        chunks[chunk] = Array(reply.entries.prefix(Self.chunkEntries))
        total = reply.total
        if let next = reply.next {
            cursors[chunk + 1] = next
        } else {
            // The list ends here now.
            chunks = chunks.filter { $0.key <= chunk }
            cursors = cursors.filter { $0.key <= chunk }
        }
    }

    /// Forgets the entries of all other chunks; what was passed on the way is not seen any more.
    mutating func keep(_ seen: Range<Int>) {
        chunks = chunks.filter { seen.contains($0.key) }
    }

    /// Puts in what an event tells of an entry, if it is here.
    mutating func update(_ entry: Interface.Entry) {
        for (number, chunk) in chunks {
            guard let index = chunk.firstIndex(where: { $0.address == entry.address }) else { continue }
            chunks[number]?[index] = entry
        }
    }

    /// The entries that are held, in no order.
    var held: [Interface.Entry] { chunks.values.flatMap { $0 } }
}
