import Fleet

/// The replicated state of the model core: a watch list with a record of each address, and the quota.
struct ModelState: Hashable, Sendable {
    struct Entry: Hashable, Sendable {
        var isWatched = false
        /// The last record; nil if there is none.
        var record: ModelRecord?
    }

    var entries: [Entry]
    /// The calls that are left in the quota window, reservations counted as spent.
    var left: Int

    init(addresses: Int, quota: Int) {
        entries = Array(repeating: Entry(), count: addresses)
        left = quota
    }

    mutating func apply(_ commit: ModelCommit) {
        left = commit.left
        for change in commit.changes {
            switch change.kind {
            case .add: entries[change.address].isWatched = true
            case .remove: entries[change.address].isWatched = false
            }
        }
        for record in commit.records { entries[record.address].record = record }
    }
}

/// The result of a call.
struct ModelRecord: Hashable, Sendable {
    let address: Int
    /// The number of the call in the simulation.
    let call: Int
    /// When the call was sent, on the leader's clock.
    let time: LeaderTime
}

/// A change of the watch list that a client requests.
struct ModelChange: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case add, remove }

    let kind: Kind
    let address: Int
    /// The number of the request in the simulation.
    let token: Int
}

/// The body of a journal row.
struct ModelCommit: Hashable, Sendable {
    var changes: [ModelChange] = []
    var records: [ModelRecord] = []
    /// The addresses whose calls are reserved.
    var reserved: [Int] = []
    var left: Int
}

/// Bodies and states by number: for the fleet protocol they are bytes.
struct BodyTable {
    private(set) var commits: [ModelCommit] = []
    private(set) var states: [ModelState] = []
    private(set) var changes: [ModelChange] = []

    mutating func add(_ commit: ModelCommit) -> [UInt8] {
        commits.append(commit)
        return Self.bytes(commits.count - 1)
    }

    mutating func add(_ state: ModelState) -> [UInt8] {
        states.append(state)
        return Self.bytes(states.count - 1)
    }

    mutating func add(_ change: ModelChange) -> [UInt8] {
        changes.append(change)
        return Self.bytes(changes.count - 1)
    }

    func commit(_ bytes: [UInt8]) -> ModelCommit { commits[Self.number(bytes)] }
    func state(_ bytes: [UInt8]) -> ModelState { states[Self.number(bytes)] }
    func change(_ bytes: [UInt8]) -> ModelChange { changes[Self.number(bytes)] }

    private static func bytes(_ number: Int) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    private static func number(_ bytes: [UInt8]) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
