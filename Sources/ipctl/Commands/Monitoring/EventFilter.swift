import Control
import RecordKeeping

/// A filter for the events that a listener requests. It applies the same rules as the daemon.
struct EventFilter {
    /// The kinds of events; nil for all.
    private let kinds: Set<String>?
    /// The addresses in canonical form, and the host names; nil if events of all are selected.
    private let subjects: Set<String>?
    /// The fields whose changes count; nil for all.
    private let fields: Set<String>?
    /// The filter for the entries that the events are about; nil for all.
    let entries: Interface.Filter?

    /// - Parameters:
    ///   - kinds: the kinds of events; empty for all.
    ///   - addresses: the addresses in any form.
    ///   - names: the host names in canonical form; if there are neither addresses nor names, events of all are
    ///     selected.
    ///   - fields: of the `changed` events, only those in which one of these fields changed; empty for all.
    ///   - entries: the filter for the entries, which are not part of an event; nil for all.
    init(
        kinds: [String], addresses: [String], names: [String] = [], fields: [String] = [],
        entries: Interface.Filter? = nil
    ) {
        self.fields = fields.isEmpty ? nil : Set(fields)
        self.entries = entries
        self.kinds = kinds.isEmpty ? nil : Set(kinds)
        // The daemon rejects an invalid address before it sends any event.
        let canonical = addresses.map { text in (try? IPAddress(text).description) ?? text }
        subjects = canonical.isEmpty && names.isEmpty ? nil : Set(canonical + names)
    }

    /// Whether the filter matches every event.
    var isEmpty: Bool { kinds == nil && subjects == nil && fields == nil && entries == nil }

    /// Whether the filter may match an event. Addresses and host names do not restrict the events about the route and
    /// the provider. The filter for entries is disregarded, because only the daemon knows the entry.
    func matches(_ event: Interface.Event) -> Bool {
        if let kinds, !kinds.contains(event.kind) { return false }
        if let fields, event.kind == PublishedEvent.Kind.changed.rawValue {
            guard (event.fields ?? []).contains(where: { fields.contains($0.field) }) else { return false }
        }
        let concerned = [event.address, event.name].compactMap { $0 }
        guard let subjects, !concerned.isEmpty else { return true }
        return concerned.contains { subjects.contains($0) }
    }
}
