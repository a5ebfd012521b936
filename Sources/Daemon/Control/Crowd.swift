import Glibc

/// Who is connected, and what that costs: no user can take up the room of the others, nor all together that of the daemon.
struct Crowd {
    /// Why somebody is not let in.
    enum Refusal: Error, Hashable, CustomStringConvertible {
        case tooMany(limit: Int)
        case tooManyOfUser(uid_t, limit: Int)

        var description: String {
            switch self {
            case .tooMany(let limit): "\(limit) clients are connected already"
            case .tooManyOfUser(let user, let limit): "user \(user) has \(limit) connections already"
            }
        }
    }

    private let mostHeldBytes: Int
    private let maxConnections: Int
    private(set) var count = 0
    private var byUser: [uid_t: Int] = [:]
    /// What clients have sent and was not taken yet, and what they were answered and have not read, in bytes.
    private(set) var heldBytes = 0

    init(mostHeldBytes: Int = ControlLimits.heldBytes, maxConnections: Int = ControlLimits.connections) {
        self.mostHeldBytes = mostHeldBytes
        self.maxConnections = maxConnections
    }

    /// Lets somebody in. An administrator finds room although others have taken all that is for them.
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

    /// - Parameter user: one who was let in.
    mutating func leave(_ user: uid_t) {
        count -= 1
        let rest = (byUser[user] ?? 1) - 1
        byUser[user] = rest > 0 ? rest : nil
    }

    mutating func changeHeld(by bytes: Int) {
        heldBytes += bytes
    }

    var holdsTooMuch: Bool { heldBytes > mostHeldBytes }
}
