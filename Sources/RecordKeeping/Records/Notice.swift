/// Something that listeners are told: an event of the control interface's `Monitor`.
package struct Notice: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case added, removed, refreshed, changed, failed, recovered
        case networkLost, networkRestored, providerFailed, providerRecovered, throttled
    }

    /// The place in the kept events, counted up from 1; nil for what is not kept (`refreshed`).
    package var seq: Int64?
    package var at: WallTime
    package var kind: Kind
    package var address: IPAddress?
    /// What changed, for `changed`.
    package var fields: [FieldChange]
    package var message: String?

    package init(
        seq: Int64?, at: WallTime, kind: Kind, address: IPAddress? = nil, fields: [FieldChange] = [],
        message: String? = nil
    ) {
        self.seq = seq
        self.at = at
        self.kind = kind
        self.address = address
        self.fields = fields
        self.message = message
    }
}
