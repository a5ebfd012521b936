import OrderedCollections

/// The contents of the configuration's list and of the watch-list files, read together.
///
/// Creating this value hashes every address, so it is created outside the engine's queue.
package struct ListReading: Sendable {
    /// The listed addresses, each once, in portions of at most `Limits.linesPerPortion`. A long list is applied, and
    /// its memory freed, one portion at a time.
    let portions: [[ListedAddress]]
    /// All listed addresses.
    let addresses: Set<IPAddress>
    /// Whether an address was found in a watch-list file.
    let hasFileEntries: Bool
    /// Whether every file could be read. If not, the contents of at least one file are unknown, and no address is
    /// removed from the watch list.
    let isComplete: Bool
    /// The ignored lines and files, each with its position and the reason.
    let problems: [String]
    /// The request that triggered the reload; nil at startup and after SIGHUP.
    let request: Request.ID?
    /// Whether to apply this reload even if it finds no address in the files, and so removes the addresses that earlier
    /// reloads added. Otherwise, such a reload is refused, because the directory may be on a file system that is not
    /// mounted.
    let isForced: Bool
    /// Whether the request asks for the changes that a reload would make. The watch list stays as it is.
    let isPreview: Bool

    /// - Parameters:
    ///   - fileEntries: the lines of the watch-list files; empty if the directory is missing or has no list. Lines with
    ///     the same address are merged.
    ///   - configured: the addresses in the configuration.
    ///   - linesPerPortion: greater than 0; simulations, whose lists are short, use a value below the default.
    package init(
        _ fileEntries: [ListedAddress], configured: [IPAddress] = [], isComplete: Bool = true, problems: [String] = [],
        for request: Request.ID? = nil, isForced: Bool = false, isPreview: Bool = false,
        linesPerPortion: Int = Limits.linesPerPortion
    ) {
        self.isForced = isForced
        self.isPreview = isPreview
        hasFileEntries = !fileEntries.isEmpty
        let lines = configured.map { ListedAddress(address: $0) } + fileEntries
        addresses = Set(lines.lazy.map(\.address))
        let listed = addresses.count == lines.count ? lines : Self.merged(lines)
        portions = stride(from: 0, to: listed.count, by: linesPerPortion).map { start in
            Array(listed[start..<min(start + linesPerPortion, listed.count)])
        }
        self.isComplete = isComplete
        self.problems = problems
        self.request = request
    }

    /// Returns the lines in order, with all lines of an address merged into its first one. The reload then counts each
    /// address once, however the lines are divided into portions.
    private static func merged(_ lines: [ListedAddress]) -> [ListedAddress] {
        var merged: OrderedDictionary<IPAddress, ListedAddress> = [:]
        for line in lines { merged[line.address, default: ListedAddress(address: line.address)].merge(line) }
        return Array(merged.values)
    }
}

/// An address in the configuration or in a watch-list file, with the labels of its line.
package struct ListedAddress: Hashable, Sendable {
    package var address: IPAddress
    package var tags: [String]
    package var note: String?

    package init(address: IPAddress, tags: [String] = [], note: String? = nil) {
        self.address = address
        self.tags = tags
        self.note = note
    }

    /// Adds the labels of a later line of the same address: the tags of both lines, and the last note.
    fileprivate mutating func merge(_ later: ListedAddress) {
        tags = Set(tags + later.tags).sorted()
        note = later.note ?? note
    }
}
