import Dispatch

/// The queries that wait until the connection is ready for them, oldest first.
struct PendingQueries {
    /// Bounds the memory for queries that wait for an unreachable server.
    static let maxCount = 65_536

    /// Those before `first` are nil: removing the first element of an array would move all others.
    private var queries: [PendingQuery?] = []
    private var first = 0

    var count: Int { queries.count - first }

    /// The earliest deadline. Takes time in proportion to the number of queries.
    var earliestDeadline: DispatchTime? { queries[first...].lazy.compactMap { $0?.deadline }.min() }

    /// - Returns: false if there are too many.
    mutating func append(_ query: PendingQuery) -> Bool {
        guard count < Self.maxCount else { return false }
        queries.append(query)
        return true
    }

    mutating func popFirst() -> PendingQuery? {
        guard first < queries.count else { return nil }
        defer {
            queries[first] = nil
            first += 1
            // Moves the others at most once per removal on average.
            if first * 2 > queries.count { compact() }
        }
        return queries[first]
    }

    /// Removes the queries whose deadline has come.
    mutating func removeExpired(at now: DispatchTime) -> [PendingQuery] {
        compact()
        let expired = queries.compactMap { $0 }.filter { $0.deadline <= now }
        if !expired.isEmpty { queries.removeAll { $0.map { $0.deadline <= now } ?? true } }
        return expired
    }

    mutating func removeAll() -> [PendingQuery] {
        defer { self = PendingQueries() }
        return queries.compactMap { $0 }
    }

    private mutating func compact() {
        queries.removeFirst(first)
        first = 0
    }
}
