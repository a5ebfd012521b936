/// The watched host names that a pending commit changes.
struct PendingNames: Sendable {
    /// The changed names in their new state; nil for a name that is no longer watched.
    private(set) var changed: [HostName: WatchedName?] = [:]
    /// The names for which the commit contains the result of a resolution, since they were last removed.
    private(set) var resolved: Set<HostName> = []
    /// The names that the commit removes, even if it adds them again.
    private(set) var removed: Set<HostName> = []
    /// The change of the number of watched names.
    private(set) var countChange = 0
    /// The changes of the number of names that have an address.
    private var holderChanges: [IPAddress: Int] = [:]

    /// Returns by how much the commit changes the number of names that have the address.
    func holderChange(of address: IPAddress) -> Int { holderChanges[address] ?? 0 }

    /// Creates, replaces or, with nil, removes a name.
    ///
    /// - Parameter old: its previous state in this commit; nil if it was not watched.
    mutating func set(_ name: HostName, to new: WatchedName?, replacing old: WatchedName?) {
        changed.updateValue(new, forKey: name)
        countChange += (new == nil ? 0 : 1) - (old == nil ? 0 : 1)
        if new == nil {
            removed.insert(name)
            resolved.remove(name)
        }
        guard new?.addresses != old?.addresses else { return }
        for address in old?.addresses ?? [] { holderChanges[address, default: 0] -= 1 }
        for address in new?.addresses ?? [] { holderChanges[address, default: 0] += 1 }
    }

    mutating func noteResolved(_ name: HostName) {
        resolved.insert(name)
    }
}
