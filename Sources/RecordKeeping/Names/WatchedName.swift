/// A watched host name: its labels, the addresses of its last answer, and its failure.
package struct WatchedName: Hashable, Sendable {
    /// The addresses of the last answer in ascending order, without duplicates: at most `Limits.addressesPerName`.
    package var addresses: [IPAddress]
    /// The tags that the addresses get when they join the watch list, sorted and without duplicates.
    package var tags: [String]
    /// The note that the addresses get when they join the watch list.
    package var note: String?
    /// The time of the last answer; nil before the first one. The stored time is that of the last answer that differed
    /// from the one before.
    package var answeredAt: WallTime?
    /// The failure of the last resolution; nil after an answer.
    package var failure: NameFailure?

    package init(
        addresses: [IPAddress] = [], tags: [String] = [], note: String? = nil, answeredAt: WallTime? = nil,
        failure: NameFailure? = nil
    ) {
        self.addresses = addresses
        self.tags = tags
        self.note = note
        self.answeredAt = answeredAt
        self.failure = failure
    }

    /// Returns the name with more tags and, unless `note` is nil, another note. An empty note removes the note.
    func labelled(tags: [String], note: String?) -> WatchedName {
        var labelled = self
        labelled.tags = Set(self.tags + tags).sorted()
        if let note { labelled.note = note.isEmpty ? nil : note }
        return labelled
    }
}

/// The reason why the addresses of a name are not up to date.
package struct NameFailure: Hashable, Sendable {
    /// The reason for the first of the consecutive failures.
    package var reason: String
    /// The time of the first of the consecutive failures.
    package var since: WallTime

    package init(reason: String, since: WallTime) {
        self.reason = reason
        self.since = since
    }
}

/// The result of a resolution.
package enum NameAnswer: Hashable, Sendable {
    /// The addresses, in any order and possibly with duplicates.
    case addresses([IPAddress])
    /// The name could not be resolved, or has no address; the string is the reason.
    case failed(String)
}

/// A watched name as it is stored.
package struct SavedName: Hashable, Sendable {
    package var name: HostName
    package var watch: WatchedName

    package init(_ name: HostName, _ watch: WatchedName) {
        (self.name, self.watch) = (name, watch)
    }
}

/// A watched name as it is sent to clients.
package struct NameView: Hashable, Sendable {
    package var name: HostName
    package var state: NameState
    package var watch: WatchedName
    /// The time of the next resolution; nil if one is in progress or due.
    package var nextAt: WallTime?

    package init(name: HostName, state: NameState, watch: WatchedName, nextAt: WallTime?) {
        self.name = name
        self.state = state
        self.watch = watch
        self.nextAt = nextAt
    }
}

/// The states of a watched name in the control interface.
package enum NameState: String, CaseIterable, Hashable, Sendable {
    /// The name has not been resolved yet.
    case loading
    /// The last resolution had an answer, about an interval ago at most.
    case fresh
    /// The addresses are those of an earlier answer: the last resolution failed, the current one is taking too long, or
    /// the daemon has just started.
    case stale
    /// The name could not be resolved, and no addresses are known.
    case failed
}
