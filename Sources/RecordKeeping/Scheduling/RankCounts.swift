/// A number for each rank of due addresses, such as the addresses in a call or in the queues.
struct RankCounts: Hashable, Sendable {
    var urgent = 0
    var background = 0
    var lookup = 0

    var total: Int { urgent + background + lookup }

    subscript(rank: DueQueues.Rank) -> Int {
        get {
            switch rank {
            case .urgent: urgent
            case .background: background
            case .lookup: lookup
            }
        }
        set {
            switch rank {
            case .urgent: urgent = newValue
            case .background: background = newValue
            case .lookup: lookup = newValue
            }
        }
    }

    /// Creates counts from a function of the rank.
    init(of count: (DueQueues.Rank) -> Int) {
        self.init(urgent: count(.urgent), background: count(.background), lookup: count(.lookup))
    }

    init(urgent: Int = 0, background: Int = 0, lookup: Int = 0) {
        (self.urgent, self.background, self.lookup) = (urgent, background, lookup)
    }
}
