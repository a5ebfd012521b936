/// Something that listeners are told: an event of the control interface's `Monitor`.
package struct Notice: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case added, removed, refreshed, changed, failed, recovered
        case networkLost, networkRestored, providerFailed, providerRecovered, throttled

        /// Whether the notice belongs in the journal.
        package var isAlert: Bool {
            switch self {
            case .added, .removed, .refreshed: false
            case .changed, .failed, .recovered: true
            case .networkLost, .networkRestored, .providerFailed, .providerRecovered, .throttled: true
            }
        }
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

/// Kept notices, in order, as far as they were read.
package struct NoticePage: Hashable, Sendable {
    /// Those that make sense.
    package let notices: [Notice]
    /// From the first to the last that was read, whether it makes sense or not; nil where there are none.
    package let seqs: ClosedRange<Int64>?

    package init(_ notices: [Notice], seqs: ClosedRange<Int64>?) {
        self.notices = notices
        self.seqs = seqs
    }

    /// - Parameter notices: all that were read; each has a seq.
    package init(_ notices: [Notice]) {
        let seqs = notices.compactMap(\.seq)
        self.init(notices, seqs: seqs.first.flatMap { first in seqs.last.map { first...$0 } })
    }
}
