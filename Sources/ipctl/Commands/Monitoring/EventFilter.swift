import Control
import RecordKeeping

/// The events that a listener requests, by the same rules as in the daemon.
struct EventFilter {
    /// Nil for all.
    private let kinds: Set<String>?
    /// The addresses in canonical form; nil for all.
    private let addresses: Set<String>?

    /// - Parameters:
    ///   - kinds: the kinds of events; empty for all.
    ///   - addresses: the addresses in any form; empty for all.
    init(kinds: [String], addresses: [String]) {
        self.kinds = kinds.isEmpty ? nil : Set(kinds)
        // The daemon refuses text that is not an address before it sends events.
        let canonical = addresses.map { text in (try? IPAddress(text).description) ?? text }
        self.addresses = canonical.isEmpty ? nil : Set(canonical)
    }

    /// Whether every event passes the filter.
    var isEmpty: Bool { kinds == nil && addresses == nil }

    /// An event without an address passes every filter by address.
    func matches(_ event: Interface.Event) -> Bool {
        if let kinds, !kinds.contains(event.kind) { return false }
        if let addresses, let address = event.address, !addresses.contains(address) { return false }
        return true
    }
}
