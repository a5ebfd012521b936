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

/// The groups that were found so far. The index of a group stays the same.
struct GroupTable: Sendable {
    private var groups: [GroupCounts.Group] = []
    private var indices: [String: Int32] = [:]

    var count: Int { groups.count }

    /// Returns the index of a group, which is added without entries if it is new.
    ///
    /// - Parameter coordinates: the coordinates of a new group.
    mutating func index(of key: String, at coordinates: (lat: Double?, lon: Double?) = (nil, nil)) -> Int32 {
        if let index = indices[key] { return index }
        let index = Int32(groups.count)
        groups.append(GroupCounts.Group(key: key, count: 0, lat: coordinates.lat, lon: coordinates.lon))
        indices[key] = index
        return index
    }

    /// Adds an entry to a group.
    mutating func addEntry(to index: Int32) {
        groups[Int(index)].count += 1
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
        for group in groups {
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
