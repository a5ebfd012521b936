/// A client's connection.
package struct PeerID: Hashable, Sendable {
    package let number: UInt64
    package init(number: UInt64) { self.number = number }
}

/// What a client asks for.
package struct Request: Sendable {
    package struct ID: Hashable, Sendable {
        package let peer: PeerID
        /// Which of the peer's requests; each once.
        package let number: UInt64

        package init(peer: PeerID, number: UInt64) {
            self.peer = peer
            self.number = number
        }
    }

    package let id: ID
    /// Root, the daemon's own user or a member of the administrators' group: may change things.
    package let isByAdministrator: Bool
    package let body: Body

    package init(id: ID, isByAdministrator: Bool, body: Body) {
        self.id = id
        self.isByAdministrator = isByAdministrator
        self.body = body
    }

    package enum Body: Hashable, Sendable {
        case add([IPAddress], tags: [String], note: String?)
        case remove([IPAddress])
        /// - Parameter wait: at most how long to wait for what is not fresh; zero for not at all.
        case show([IPAddress], wait: Duration)
        case status
        case list(ListQuery)
        case label([IPAddress], LabelChange)
        /// Nil for all of the watch list.
        case refresh([IPAddress]?)
        /// - Parameters:
        ///   - before: only changes with a smaller seq; nil for the newest.
        ///   - limit: 1 to `Limits.changesPerPage`.
        case history(IPAddress, before: Int64?, limit: Int)
        /// - Parameters:
        ///   - before: only outages that began earlier; nil for the newest.
        ///   - limit: 1 to `Limits.outagesPerPage`.
        case outages(before: WallTime?, limit: Int)
        /// Read the configuration's list and the watch-list files again.
        ///
        /// - Parameter isForced: the value of `ListReading.isForced`.
        case reload(isForced: Bool)
        /// - Parameters:
        ///   - after: the seq after which kept notices are told first; nil for only what happens from now on.
        ///   - kinds: which to tell; nil for all.
        ///   - addresses: about whom to tell; nil for all, and what is about no address is told in any case.
        case monitor(after: Int64?, kinds: Set<Notice.Kind>?, addresses: Set<IPAddress>?)
    }
}

/// What is to be different about entries of the watch list; nil leaves as it is.
package struct LabelChange: Hashable, Sendable {
    package var isPinned: Bool?
    /// Taken away before `addTags` are added.
    package var removeTags: Set<String>
    package var addTags: Set<String>
    /// Empty for none.
    package var note: String?

    package init(
        isPinned: Bool? = nil, addTags: Set<String> = [], removeTags: Set<String> = [], note: String? = nil
    ) {
        self.isPinned = isPinned
        self.addTags = addTags
        self.removeTags = removeTags
        self.note = note
    }
}
