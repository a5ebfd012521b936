/// What the entries of a group in the reply to `Count` have in common.
package enum CountKey: Hashable, Sendable {
    case field(Record.Field)
    case state
    /// An entry with several tags belongs to several groups.
    case tag
    /// Whether a client or a watch-list file has added the address.
    case origin
    /// The city and the country.
    case place

    /// - Parameter name: the name in the control interface; nil is returned for any other string.
    package init?(_ name: String) {
        switch name {
        case "state": self = .state
        case "tag": self = .tag
        case "origin": self = .origin
        case "place": self = .place
        default:
            guard let field = Record.Field(rawValue: name) else { return nil }
            self = .field(field)
        }
    }
}

/// A `Count` request.
package struct CountQuery: Hashable, Sendable {
    package var key: CountKey
    package var filter: EntryFilter?
    /// Maximum number of groups in the reply, 1 to `Limits.groupsPerReply`.
    package var limit: Int

    package init(key: CountKey, filter: EntryFilter? = nil, limit: Int) {
        self.key = key
        self.filter = filter
        self.limit = limit
    }
}

/// The reply to a `Count` request.
package struct GroupCounts: Hashable, Sendable {
    package struct Group: Hashable, Sendable {
        /// The common value as text; empty if the entries have none.
        package var key: String
        /// The number of entries.
        package var count: Int
        /// The coordinates of one of the entries, in degrees; nil unless the groups are places.
        package var lat: Double?
        package var lon: Double?
    }

    /// The largest groups, in descending order of their size; groups of the same size are in ascending order of their
    /// keys.
    package var groups: [Group]
    /// The number of matching entries.
    package var total: Int
    /// The sum of the sizes of the groups that are not in `groups`.
    package var others: Int
}

/// The groups that were found so far.
struct GroupTable: Sendable {
    private var groups: [String: GroupCounts.Group] = [:]

    var count: Int { groups.count }

    /// Adds entries to a group.
    ///
    /// - Parameter coordinates: called if the group is new.
    mutating func add(_ count: Int, to key: String, at coordinates: () -> (lat: Double?, lon: Double?)) {
        guard groups[key] == nil else {
            groups[key]?.count += count
            return
        }
        let (lat, lon) = coordinates()
        groups[key] = GroupCounts.Group(key: key, count: count, lat: lat, lon: lon)
    }

    /// Returns the largest groups, and the sum of the sizes of the others.
    ///
    /// It never sorts more than twice the number of wanted groups at once, because there may be many more.
    func largest(_ limit: Int) -> (groups: [GroupCounts.Group], others: Int) {
        var (largest, others): ([GroupCounts.Group], Int) = ([], 0)
        func prune() {
            largest.sort { $0.count == $1.count ? $0.key < $1.key : $0.count > $1.count }
            others += largest.dropFirst(limit).reduce(0) { $0 + $1.count }
            largest.removeLast(max(0, largest.count - limit))
        }
        var smallest = 0
        for group in groups.values {
            guard group.count >= smallest else {
                others += group.count
                continue
            }
            largest.append(group)
            if largest.count == 2 * limit {
                prune()
                smallest = largest.last?.count ?? 0
            }
        }
        prune()
        return (largest, others)
    }
}
