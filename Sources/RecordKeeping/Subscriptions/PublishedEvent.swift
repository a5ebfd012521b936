/// An event of the control interface, as `Monitor` publishes it.
package struct PublishedEvent: Hashable, Sendable {
    package enum Kind: String, CaseIterable, Hashable, Sendable {
        case added, removed, refreshed, changed, failed, recovered
        case networkLost, networkRestored, providerFailed, providerRecovered, throttled
        case nameAdded, nameRemoved, addressAdded, addressRemoved, nameFailed, nameRecovered

        /// Whether events of this kind are logged in the journal, with a MESSAGE_ID of their own. Of the changes, only
        /// those of configured fields are logged (``Settings/isAlert(_:)``).
        package var isAlert: Bool {
            switch self {
            case .added, .removed, .refreshed: false
            case .changed, .failed, .recovered: true
            case .networkLost, .networkRestored, .providerFailed, .providerRecovered, .throttled: true
            case .nameAdded, .nameRemoved, .addressAdded, .addressRemoved, .nameFailed, .nameRecovered: false
            }
        }

        /// Whether an event of this kind includes the current entry when it is published: the new record, or the reason
        /// why there is none and the time of the next attempt.
        package var hasEntry: Bool { self == .refreshed || self == .failed }
    }

    /// The position among the kept events, counted from 1; nil for an event that is not kept, such as `refreshed`.
    package var seq: Int64?
    package var at: WallTime
    package var kind: Kind
    /// The address that the event concerns; nil for an event about the route or the provider, or about all addresses of
    /// a host name.
    package var address: IPAddress?
    /// The host name that the event concerns; nil for other events.
    package var name: HostName?
    /// The fields that changed, for `changed`; otherwise empty.
    package var fields: [FieldChange]
    package var message: String?
    /// The id of the user who caused the change to the watch list; nil if no client caused the event.
    package var user: UInt32?

    package init(
        seq: Int64?, at: WallTime, kind: Kind, address: IPAddress? = nil, fields: [FieldChange] = [],
        message: String? = nil, user: UInt32? = nil, name: HostName? = nil
    ) {
        self.name = name
        self.user = user
        self.seq = seq
        self.at = at
        self.kind = kind
        self.address = address
        self.fields = fields
        self.message = message
    }
}

/// A page of kept events, as read from the database in ascending order of `seq`.
package struct EventPage: Hashable, Sendable {
    /// The events that could be decoded.
    package let events: [PublishedEvent]
    /// The first and the last `seq` that were read, including those of rows that could not be decoded; nil if there
    /// were no rows.
    package let seqs: ClosedRange<Int64>?

    package init(_ events: [PublishedEvent], seqs: ClosedRange<Int64>?) {
        self.events = events
        self.seqs = seqs
    }

    /// Creates a page of rows that could all be decoded.
    ///
    /// - Parameter events: in ascending order of `seq`; each event has a `seq`.
    package init(_ events: [PublishedEvent]) {
        let seqs = events.compactMap(\.seq)
        self.init(events, seqs: seqs.first.flatMap { first in seqs.last.map { first...$0 } })
    }
}
