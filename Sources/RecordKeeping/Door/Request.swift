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
        /// - Parameters:
        ///   - after: the seq after which kept notices are told first; nil for only what happens from now on.
        ///   - kinds: which to tell; nil for all.
        ///   - addresses: about whom to tell; nil for all, and what is about no address is told in any case.
        case monitor(after: Int64?, kinds: Set<Notice.Kind>?, addresses: Set<IPAddress>?)
    }
}
