/// Conditions that select events for a listener. All conditions must hold; nil is no condition.
package struct EventSelection: Hashable, Sendable {
    package var kinds: Set<PublishedEvent.Kind>?
    /// Events about the route and the provider have neither an address nor a name to compare, and are always selected.
    /// If there are addresses and names, an event about one of them is selected.
    package var addresses: Set<IPAddress>?
    package var names: Set<HostName>?
    /// Of the `changed` events, only those in which one of these fields changed.
    package var fields: Set<Record.Field>?
    /// Only events of entries that have one of these tags now. Events about the route and the provider are always
    /// selected; events of addresses that are no longer watched, and of names as such, never are.
    package var tags: Set<String>?
    /// Only events of entries that match this filter now, with the same exceptions as for `tags`.
    package var filter: EntryFilter?

    package init(
        kinds: Set<PublishedEvent.Kind>? = nil, addresses: Set<IPAddress>? = nil, names: Set<HostName>? = nil,
        fields: Set<Record.Field>? = nil, tags: Set<String>? = nil, filter: EntryFilter? = nil
    ) {
        self.kinds = kinds
        self.addresses = addresses
        self.names = names
        self.fields = fields
        self.tags = tags
        self.filter = filter
    }

    /// Returns whether all conditions but `filter` hold.
    ///
    /// - Parameter tagsOf: returns the tags of a watched address; no tags for other addresses.
    func matches(_ event: PublishedEvent, tagsOf: (IPAddress) -> [String]) -> Bool {
        if let kinds, !kinds.contains(event.kind) { return false }
        if let fields, event.kind == .changed {
            let names = event.fields.map(\.field)
            guard fields.contains(where: { names.contains($0.rawValue) }) else { return false }
        }
        if event.address == nil, event.name == nil { return true }
        if addresses != nil || names != nil {
            let hasAddress = event.address.map { addresses?.contains($0) ?? false } ?? false
            guard hasAddress || event.name.map({ names?.contains($0) ?? false }) ?? false else { return false }
        }
        guard let address = event.address else { return tags == nil && filter == nil }
        if let tags, tags.isDisjoint(with: tagsOf(address)) { return false }
        return true
    }
}
