package import RecordKeeping

extension Interface {
    /// The numbers of watched host names.
    package struct NameCounts: Codable, Hashable, Sendable {
        package var watched: Int
        /// The number of names that cannot be resolved.
        package var failing: Int
    }

    /// A watched host name. Times are Unix times in milliseconds.
    package struct Name: Codable, Hashable, Sendable {
        package var name: String
        /// The raw value of a `NameState`; a string, so that clients accept states that a newer daemon adds.
        package var state: String
        /// The addresses of the last answer, in order.
        package var addresses: [String]
        package var tags: [String]
        package var note: String?
        /// The time of the last answer; nil before the first one.
        package var answeredAt: Int64?
        /// The time of the first of the consecutive failures; nil after an answer.
        package var failedSince: Int64?
        /// The reason for the first of the consecutive failures; nil after an answer.
        package var reason: String?
        /// The time of the next resolution; nil if one is in progress or due.
        package var nextAt: Int64?

        package init(_ view: NameView) {
            name = view.name.description
            state = view.state.rawValue
            addresses = view.watch.addresses.map(\.description)
            tags = view.watch.tags
            note = view.watch.note
            answeredAt = view.watch.answeredAt?.milliseconds
            failedSince = view.watch.failure?.since.milliseconds
            reason = view.watch.failure?.reason
            nextAt = view.nextAt?.milliseconds
        }
    }
}
