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
