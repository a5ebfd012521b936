import Control

/// The visible part of the watch list, read in chunks.
///
/// The cursor of a chunk is known once the previous chunk has been read. Scrolling down reads one chunk after the
/// other. The cursors are kept, so that scrolling up reads a chunk directly.
struct ListWindow: Hashable {
    /// The filter of the list.
    struct Filter: Hashable {
        var search: String?
        var state: String?
    }

    let filter: Filter
    /// The number of matching entries; nil before the first chunk.
    private(set) var total: Int?
    private var chunks: [Int: [Interface.Entry]] = [:]
    /// The cursors after which the chunks begin; the first chunk has no cursor.
    private var cursors: [Int: String] = [:]

    /// Entries per chunk: few enough to cost the daemon little, and enough that a small screen needs one or two chunks.
    static let entriesPerChunk = 32

    init(filter: Filter = Filter()) {
        self.filter = filter
    }

    /// - Parameter position: the position in the whole list.
    /// - Returns: nil if the entry does not exist or has not been read.
    subscript(position: Int) -> Interface.Entry? {
        guard position >= 0, let chunk = chunks[position / Self.entriesPerChunk] else { return nil }
        let index = position % Self.entriesPerChunk
        return index < chunk.count ? chunk[index] : nil
    }

    /// Returns the numbers of the chunks that contain these positions.
    static func chunks(of positions: Range<Int>) -> Range<Int> {
        guard !positions.isEmpty else { return 0..<0 }
        return positions.lowerBound / entriesPerChunk..<(positions.upperBound - 1) / entriesPerChunk + 1
    }

    /// Returns the next chunk to read; nil if all visible chunks have been read, or at the end of the list.
    func missing(of visible: Range<Int>) -> Int? {
        guard let missing = visible.first(where: { chunks[$0] == nil }) else { return nil }
        // The nearest chunk with a known cursor.
        guard let reachable = (0...missing).last(where: { $0 == 0 || cursors[$0] != nil }) else { return nil }
        let isBeyondEnd = total.map { missing > 0 && missing * Self.entriesPerChunk >= $0 } ?? false
        return isBeyondEnd || chunks[reachable] != nil ? nil : reachable
    }

    /// Returns the parameters of the call for a chunk.
    func parameters(of chunk: Int) -> Control.List.Parameters {
        Control.List.Parameters(
            search: filter.search, state: filter.state, after: cursors[chunk], limit: Int64(Self.entriesPerChunk))
    }

    mutating func apply(_ reply: Control.List.Reply, chunk: Int) {
        chunks[chunk] = Array(reply.entries.prefix(Self.entriesPerChunk))
        total = reply.total
        if let next = reply.next {
            cursors[chunk + 1] = next
        } else {
            // This is the last chunk.
            chunks = chunks.filter { $0.key <= chunk }
            cursors = cursors.filter { $0.key <= chunk }
        }
    }

    /// Discards the entries of all chunks except the visible chunks.
    mutating func retain(_ visible: Range<Int>) {
        chunks = chunks.filter { visible.contains($0.key) }
    }

    /// Replaces an entry with the entry of an event, if the entry is in memory.
    mutating func update(_ entry: Interface.Entry) {
        for (number, chunk) in chunks {
            guard let index = chunk.firstIndex(where: { $0.address == entry.address }) else { continue }
            chunks[number]?[index] = entry
        }
    }

    /// The entries in memory, in no particular order.
    var loadedEntries: [Interface.Entry] { chunks.values.flatMap { $0 } }
}
