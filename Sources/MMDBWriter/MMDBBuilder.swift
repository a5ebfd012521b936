/// Collects networks with their values, for an MMDB file of the format 2.0 (https://maxmind.github.io/MaxMind-DB/).
///
///     var builder = MMDBBuilder(metadata)
///     try builder.insert(["country": ["iso_code": "DE"]], for: network)
///     try builder.finish().write { portion in try file.write(portion) }
///
/// The search tree is for IPv6 addresses, with IPv4 addresses in ::/96. An address has the value of the network with
/// the longest prefix that contains it. Networks are not merged: a reader reports the inserted prefix length, unless
/// another network is inside.
///
/// Memory: 32 bytes per network and the data section, in which each distinct value takes its encoded size and about 15
/// bytes. The search tree is generated while it is written.
package struct MMDBBuilder {
    private let metadata: MMDBMetadata
    private let aliases: Set<MMDBAlias>
    private var entries: [TreeEntry] = []
    private var data: DataSection
    private let maxNodesAndBytes: Int

    /// - Parameters:
    ///   - aliases: the ranges that have the values of IPv4 addresses. A range is left out if one of the networks
    ///     is inside it, so that the network can be found. `.mapped` never is: IPv4-mapped networks are stored as IPv4.
    ///   - maxNodesAndBytes: the size limit; tests use a smaller one.
    package init(
        _ metadata: MMDBMetadata, aliases: Set<MMDBAlias> = Set(MMDBAlias.allCases),
        maxNodesAndBytes: Int = MMDBLimits.nodesAndBytes
    ) {
        self.metadata = metadata
        self.aliases = aliases
        self.maxNodesAndBytes = maxNodesAndBytes
        data = DataSection(maxBytes: maxNodesAndBytes)
    }

    /// Adds a network, or replaces its value. Networks may come in any order; sorted by address is fastest.
    package mutating func insert(_ value: MMDBValue, for network: MMDBNetwork) throws(MMDBError) {
        guard entries.count < maxNodesAndBytes else { throw .databaseTooLarge }
        var address = network.address
        if aliases.contains(.mapped), address >> 32 == 0xFFFF { address &= 0xFFFF_FFFF }
        let offset = try data.store(value)
        entries.append(
            TreeEntry(address: address, prefixLength: UInt8(network.prefixLength), target: .value(offset)))
    }

    /// Stores a value that many values contain, and returns it in a form that is inserted faster. The result is valid
    /// only in this builder.
    package mutating func store(_ value: MMDBValue) throws(MMDBError) -> MMDBValue { try data.storePart(value) }

    /// Stores members that many maps contain, for `MMDBValue.members`. The result is valid only in this builder.
    ///
    /// - Parameter members: in ascending order of their keys; those without a value are left out.
    package mutating func store(members: KeyValuePairs<String, MMDBValue?>) throws(MMDBError) -> StoredMembers {
        try data.store(members: members)
    }

    /// Stores a key of many maps, so that their members are stored faster. The result is valid only in this builder.
    package mutating func store(key: String) throws(MMDBError) -> StoredKey { try data.store(key: key) }

    /// Begins to store the members of a map, one at a time. Until `endMembers` or `endMap`, nothing else is stored.
    package mutating func beginMembers() { data.beginMembers() }

    /// Appends a member.
    ///
    /// - Parameter key: a key that is greater than those of the members before it.
    package mutating func appendMember(_ key: StoredKey, _ value: MMDBValue) throws(MMDBError) {
        try data.appendMember(key, value)
    }

    /// Appends stored members. Their keys must be greater than those of the members before them, which is not checked.
    package mutating func appendMembers(_ members: StoredMembers) throws(MMDBError) {
        try data.appendMembers(members)
    }

    /// Returns the members since `beginMembers`. They are valid only in this builder.
    package func endMembers() -> StoredMembers { data.endMembers() }

    /// Stores a map of the members since `beginMembers`, and returns it. It is valid only in this builder. If there are
    /// no members, the result is nil.
    package mutating func endMap() throws(MMDBError) -> MMDBValue? { try data.endMap() }

    /// Returns the content of the file, and removes it from the builder.
    package mutating func finish() throws(MMDBError) -> MMDBFile {
        // Moved instead of copied: sorting would copy the networks if the builder kept them.
        var entries: [TreeEntry] = []
        swap(&entries, &self.entries)
        let bytes = data.bytes
        data = DataSection(maxBytes: maxNodesAndBytes)
        for alias in aliases {
            let range = TreeEntry(address: alias.address, prefixLength: alias.prefixLength, target: .ipv4)
            guard !entries.contains(where: { range.contains($0) }) else { continue }
            // Sorted networks stay sorted.
            entries.insert(range, at: entries.firstIndex { TreeEntry.precedes(range, $0) } ?? entries.count)
        }
        let tree = try SearchTree(consume entries, maxNodes: maxNodesAndBytes)
        return try MMDBFile(tree: tree, data: bytes, metadata: metadata, maxNodesAndBytes: maxNodesAndBytes)
    }
}
