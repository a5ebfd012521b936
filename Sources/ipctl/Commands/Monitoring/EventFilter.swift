import Control
import RecordKeeping

/// A filter for the events that a listener requests. It applies the same rules as the daemon.
struct EventFilter {
    /// The kinds of events; nil for all.
    private let kinds: Set<String>?
    /// The addresses in canonical form; nil for all.
    private let addresses: Set<String>?

    /// - Parameters:
    ///   - kinds: the kinds of events; empty for all.
    ///   - addresses: the addresses in any form; empty for all.
    init(kinds: [String], addresses: [String]) {
        self.kinds = kinds.isEmpty ? nil : Set(kinds)
        // The daemon rejects an invalid address before it sends any event.
        let canonical = addresses.map { text in (try? IPAddress(text).description) ?? text }
        self.addresses = canonical.isEmpty ? nil : Set(canonical)
    }

    /// Whether the filter matches every event.
    var isEmpty: Bool { kinds == nil && addresses == nil }

    /// Whether the filter matches an event. An event without an address matches every address filter.
    func matches(_ event: Interface.Event) -> Bool {
        if let kinds, !kinds.contains(event.kind) { return false }
        if let addresses, let address = event.address, !addresses.contains(address) { return false }
        return true
    }
}
