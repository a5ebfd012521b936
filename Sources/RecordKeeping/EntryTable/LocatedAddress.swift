/// An address, and the slot that its entry had. If the entry is still in this slot, it is found without a lookup.
struct LocatedAddress: Hashable, Sendable {
    let address: IPAddress
    /// The slot index; nil if there was no entry.
    let slot: Int?

    init(_ address: IPAddress, slot: Int?) {
        self.address = address
        self.slot = slot
    }
}

extension Slots {
    /// Returns the slot index of an address; nil if it has no slot.
    func index(of located: LocatedAddress) -> Int? {
        if let slot = located.slot, isInUse(slot), peek(slot).address == located.address { return slot }
        return index(of: located.address)
    }
}
