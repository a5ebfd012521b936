import RecordKeeping
package import Varlink

extension Interface {
    /// Conditions that select entries. They combine with AND, and the values of one condition with OR; nil is no
    /// condition.
    package struct Filter: Codable, Hashable, Sendable {
        static let names: Set<String> = [
            "search", "states", "tags", "notTags", "pinned", "changedSince", "changedFields", "countryCodes",
            "notCountryCodes", "asns", "flags",
        ]

        /// A CIDR block that contains the address, or a text that occurs, ignoring case, in the address, the tags, the
        /// note or any string of the record.
        package var search: String?
        /// Raw values of `EntryState`.
        package var states: [String]?
        package var tags: [String]?
        package var notTags: [String]?
        package var pinned: Bool?
        /// Unix time in milliseconds: only entries whose record has changed at that time or later.
        package var changedSince: Int64?
        /// Restricts `changedSince` to changes of these fields.
        package var changedFields: [String]?
        package var countryCodes: [String]?
        package var notCountryCodes: [String]?
        package var asns: [Int64]?
        /// Raw values of `EntryFilter.Flag`.
        package var flags: [String]?

        package init() {}

        package init(_ members: CallMembers) throws(ServiceError) {
            search = try members.text("search")
            states = try members.texts("states")
            tags = try members.texts("tags")
            notTags = try members.texts("notTags")
            pinned = try members.flag("pinned")
            changedSince = try members.number("changedSince")
            changedFields = try members.texts("changedFields")
            countryCodes = try members.texts("countryCodes")
            notCountryCodes = try members.texts("notCountryCodes")
            asns = try members.numbers("asns")
            flags = try members.texts("flags")
        }
    }
}

extension CallMembers {
    func filter(_ name: String) throws(ServiceError) -> Interface.Filter? {
        guard let members = try members(name, known: Interface.Filter.names) else { return nil }
        return try Interface.Filter(members)
    }
}

extension Interface.Filter {
    /// Validates the conditions.
    ///
    /// - Parameter states: the name of the parameter that an invalid state belongs to.
    func decoded(states name: String = "states") throws(ControlError) -> EntryFilter {
        var filter = EntryFilter()
        if let search, !search.isEmpty {
            do {
                filter.search = try Search(search)
            } catch {
                throw .invalidSearch(error.description)
            }
        }
        filter.states = try Self.values(states, of: name) { EntryState(rawValue: $0) }
        filter.tags = tags.map { Set($0) }
        filter.notTags = Set(notTags ?? [])
        filter.isPinned = pinned
        filter.changedSince = changedSince.map { WallTime(milliseconds: $0) }
        filter.changedFields = try Self.values(changedFields, of: "changedFields") { Record.Field(rawValue: $0) }
        guard filter.changedFields == nil || filter.changedSince != nil else {
            throw .service(.invalidParameter("changedFields"))
        }
        filter.countryCodes = countryCodes.map { Set($0.map { $0.uppercased() }) }
        filter.notCountryCodes = Set((notCountryCodes ?? []).map { $0.uppercased() })
        filter.asns = asns.map { Set($0.compactMap { Int(exactly: $0) }) }
        filter.flags = try Self.values(flags, of: "flags") { EntryFilter.Flag(rawValue: $0) }
        return filter
    }

    private static func values<Value: Hashable>(
        _ texts: [String]?, of name: String, _ value: (String) -> Value?
    ) throws(ControlError) -> Set<Value>? {
        guard let texts else { return nil }
        let values = texts.compactMap(value)
        guard values.count == texts.count else { throw .service(.invalidParameter(name)) }
        return Set(values)
    }
}
