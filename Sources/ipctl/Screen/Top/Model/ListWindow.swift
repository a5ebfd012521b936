import Control

/// The visible part of the watch list, read in chunks.
///
/// The daemon returns the cursor of the next chunk with each reply, so chunks are reached from earlier ones. The
/// cursors are kept, so that scrolling up reads a chunk directly.
struct ListWindow: Hashable {
    /// The filter of the list.
    struct Filter: Hashable {
        var search: String?
        var state: String?
        /// The filter of the command line, which applies in addition.
        var fixed: Interface.Filter?

        /// Whether a search or a state was chosen on the screen.
        var isNarrowed: Bool { search != nil || state != nil }
    }

    let filter: Filter
    /// The number of matching entries; nil before the first chunk.
    private(set) var total: Int?
    private var chunks: [Int: [Interface.Entry]] = [:]
    /// The cursors after which the chunks begin; the first chunk has no cursor.
    private var cursors: [Int: String] = [:]
    /// The number of chunks; nil until the last one has been read.
    private var chunkCount: Int?

    /// Entries per chunk: few enough to cost the daemon little, and enough that a small screen needs one or two chunks.
    static let entriesPerChunk = 32
    /// The maximum number of chunks per call: a reply with a thousand entries takes some milliseconds to parse.
    static let chunksPerCall = 31

    /// More entries than any daemon can have.
    private static let maxTotal = 1 << 40

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

    /// Returns the first position of an address; nil if its entry is not in memory.
    func position(of address: String) -> Int? {
        for (number, chunk) in chunks.sorted(by: { $0.key < $1.key }) {
            if let index = chunk.firstIndex(where: { $0.address == address }) {
                return number * Self.entriesPerChunk + index
            }
        }
        return nil
    }

    /// Returns the numbers of the chunks that contain these positions.
    static func chunks(of positions: Range<Int>) -> Range<Int> {
        guard !positions.isEmpty else { return 0..<0 }
        return positions.lowerBound / entriesPerChunk..<(positions.upperBound - 1) / entriesPerChunk + 1
    }

    /// Returns the chunks of the next call that reads missing visible chunks; nil if all visible chunks have been
    /// read, or at the end of the list.
    func missing(of visible: Range<Int>) -> Range<Int>? {
        guard let missing = visible.first(where: { chunks[$0] == nil }) else { return nil }
        if let chunkCount, missing >= chunkCount { return nil }
        return reading(missing..<visible.upperBound)
    }

    /// Returns the chunks of the next call that reads the wanted chunks. If the cursor of the first one is unknown, the
    /// call reads chunks before it, as many as possible.
    func reading(_ wanted: Range<Int>) -> Range<Int> {
        let first = wanted.lowerBound
        // The nearest chunk with a known cursor.
        let start = cursors.keys.filter { $0 <= first }.max() ?? 0
        let end = start < first ? first : wanted.upperBound
        return start..<min(end, start + Self.chunksPerCall)
    }

    /// Returns the parameters of the call for chunks; the cursor of the first one is known.
    func parameters(of chunks: Range<Int>) -> Control.List.Parameters {
        Control.List.Parameters(
            search: filter.search, state: filter.state, filter: filter.fixed, after: cursors[chunks.lowerBound],
            limit: Int64(chunks.count * Self.entriesPerChunk))
    }

    /// - Parameter range: the chunks that the reply contains.
    mutating func apply(_ reply: Control.List.Reply, chunks range: Range<Int>) {
        for (index, number) in range.enumerated() {
            let start = min(index * Self.entriesPerChunk, reply.entries.count)
            chunks[number] = Array(reply.entries[start...].prefix(Self.entriesPerChunk))
        }
        // A reply may contain any number; arithmetic with positions must not overflow.
        total = min(max(0, reply.total), Self.maxTotal)
        if let next = reply.next {
            cursors[range.upperBound] = next
            if let chunkCount, chunkCount <= range.upperBound { self.chunkCount = nil }
        } else {
            let filled = (reply.entries.count + Self.entriesPerChunk - 1) / Self.entriesPerChunk
            let count = range.lowerBound + min(filled, range.count)
            chunkCount = count
            chunks = chunks.filter { $0.key < count || $0.key == range.lowerBound }
            cursors = cursors.filter { $0.key < count }
        }
    }

    /// Discards the entries of all chunks except the visible chunks.
    mutating func retain(_ visible: Range<Int>) {
        chunks = chunks.filter { visible.contains($0.key) }
    }

    /// Replaces an entry with a newer one, if the entry is in memory.
    mutating func update(_ entry: Interface.Entry) {
        for (number, chunk) in chunks {
            guard let index = chunk.firstIndex(where: { $0.address == entry.address }) else { continue }
            chunks[number]?[index] = entry
        }
    }

    /// The entries in memory, in no particular order.
    var loadedEntries: [Interface.Entry] { chunks.values.flatMap { $0 } }
}
