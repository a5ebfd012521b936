import Glibc

/// Counts the connections of each user and the bytes buffered for all clients, and checks them against the limits.
struct ConnectionLimiter {
    /// The reason why a connection is refused.
    enum Refusal: Error, Hashable, CustomStringConvertible {
        case tooMany(limit: Int)
        case tooManyOfUser(uid_t, limit: Int)

        var description: String {
            switch self {
            case .tooMany(let limit): "\(limit) clients are already connected"
            case .tooManyOfUser(let user, let limit): "user \(user) already has \(limit) connections"
            }
        }
    }

    private let maxHeldBytes: Int
    private let maxConnections: Int
    private(set) var count = 0
    private var byUser: [uid_t: Int] = [:]
    /// The number of bytes buffered for all clients: unhandled calls, pending requests and unread replies.
    private(set) var heldBytes = 0

    init(maxHeldBytes: Int = ControlLimits.heldBytes, maxConnections: Int = ControlLimits.connections) {
        self.maxHeldBytes = maxHeldBytes
        self.maxConnections = maxConnections
    }

    /// Counts a new connection of a user, or refuses it. Administrators have a reserve of connections, and no limit per
    /// user.
    mutating func admit(_ user: uid_t, isAdministrator: Bool) throws(Refusal) {
        let room = maxConnections + (isAdministrator ? ControlLimits.administratorsReserve : 0)
        guard count < room else { throw .tooMany(limit: room) }
        let ofUser = byUser[user, default: 0]
        guard isAdministrator || ofUser < ControlLimits.connectionsPerUser else {
            throw .tooManyOfUser(user, limit: ControlLimits.connectionsPerUser)
        }
        count += 1
        byUser[user] = ofUser + 1
    }

    /// - Parameter user: the user of an admitted connection, which is now closed.
    mutating func leave(_ user: uid_t) {
        count -= 1
        let rest = (byUser[user] ?? 1) - 1
        byUser[user] = rest > 0 ? rest : nil
    }

    mutating func changeHeld(by bytes: Int) {
        heldBytes += bytes
    }

    var holdsTooMuch: Bool { heldBytes > maxHeldBytes }
}
