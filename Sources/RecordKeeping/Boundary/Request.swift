/// The id of a client's connection. Ids are not reused.
package struct PeerID: Hashable, Sendable {
    package let number: UInt64
    package init(number: UInt64) { self.number = number }
}

/// A request from a client.
package struct Request: Sendable {
    package struct ID: Hashable, Sendable {
        package let peer: PeerID
        /// The number of the request, unique among the requests of the peer.
        package let number: UInt64

        package init(peer: PeerID, number: UInt64) {
            self.peer = peer
            self.number = number
        }
    }

    package let id: ID
    /// Whether the client may change the watch list: root, the daemon's own user, or a member of the administrators'
    /// group.
    package let isByAdministrator: Bool
    /// The user id of the client.
    package let user: UInt32
    package internal(set) var body: Body

    package init(id: ID, isByAdministrator: Bool, user: UInt32 = 0, body: Body) {
        self.id = id
        self.user = user
        self.isByAdministrator = isByAdministrator
        self.body = body
    }

    package enum Body: Hashable, Sendable {
        /// - Parameter until: the time at which the watch ends by itself; nil if it does not.
        case add([IPAddress], tags: [String], note: String?, until: WallTime? = nil)
        case remove([IPAddress])
        /// Watches at most `Limits.namesPerRequest` host names.
        ///
        /// - Parameter note: nil to leave the notes of names that are already watched as they are; an empty string
        ///   removes them.
        case addNames([HostName], tags: [String], note: String?)
        case removeNames([HostName])
        /// Reads these watched host names; nil stands for all of them.
        case names([HostName]?)
        /// Reads the kept events of a host name, whether or not it is watched now.
        ///
        /// - Parameters:
        ///   - before: only events with a smaller seq; nil for the newest.
        ///   - limit: 1 to `Limits.changesPerPage`.
        case nameHistory(HostName, before: Int64?, limit: Int)
        /// Asks for the response that a removal of at most `Limits.stayingAddresses` would get. Nothing is removed.
        case previewRemoval([IPAddress])
        /// - Parameter wait: maximum time to wait for addresses without a fresh record; zero to reply at once.
        case show([IPAddress], wait: Duration)
        /// Reads the entries of these addresses, without a call. Addresses about which nothing is known are left out.
        case known([IPAddress])
        case status
        case metrics
        case list(ListQuery)
        case count(CountQuery)
        case label([IPAddress], LabelChange)
        /// Retries addresses without a fresh record, regardless of their backoff; nil stands for the whole watch list.
        case refresh([IPAddress]?)
        /// - Parameter matching: the conditions for the entries, if the query names no addresses; nil for all entries.
        case history(ChangeQuery, matching: EntryFilter?)
        /// - Parameters:
        ///   - before: only outages that began earlier; nil for the newest.
        ///   - limit: 1 to `Limits.outagesPerPage`.
        case outages(before: WallTime?, limit: Int)
        /// Reads the configuration's list and the watch-list files again.
        ///
        /// - Parameters:
        ///   - isForced: the value of `ListReading.isForced`.
        ///   - isPreview: the value of `ListReading.isPreview`.
        case reload(isForced: Bool, isPreview: Bool = false)
        /// - Parameter after: kept events with a larger seq are sent first; nil to send only new events.
        case monitor(after: Int64?, EventSelection)
    }
}

/// A change to the labels of watched entries; nil leaves a label as it is.
package struct LabelChange: Hashable, Sendable {
    package var isPinned: Bool?
    /// Tags to remove before `addTags` are added.
    package var removeTags: Set<String>
    package var addTags: Set<String>
    /// The new note; an empty string removes the note.
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
