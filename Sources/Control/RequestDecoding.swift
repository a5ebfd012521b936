package import RecordKeeping
package import Varlink

extension Request.Body {
    /// Decodes and validates a call to `io.iprecord.Control`.
    ///
    /// - Throws: the error to reply with.
    package init(_ call: IncomingCall) throws(ControlError) {
        guard let method = Method(rawValue: String(call.name)) else { throw .service(.methodNotFound(call.method)) }
        guard !call.hasTooManyValues else {
            throw ControlError(.tooMany(limit: Limits.addressesPerRequest, .addressesPerRequest))
        }
        switch method {
        case .add:
            let asked = try call.checked(Add.Parameters.self)
            self = .add(
                try Self.addresses(asked.addresses), tags: try Self.tags(asked.tags ?? []),
                note: try Self.note(asked.note), until: try Self.end(asked.until))
        case .remove:
            let asked = try call.checked(Remove.Parameters.self)
            if asked.dryRun == true {
                self = .previewRemoval(try Self.addresses(asked.addresses, atMost: Limits.stayingAddresses))
            } else {
                self = .remove(try Self.addresses(asked.addresses))
            }
        case .show:
            let asked = try call.checked(Show.Parameters.self)
            let (addresses, wait) = (try Self.addresses(asked.addresses), try Self.wait(asked.wait))
            self = asked.lookup ?? true ? .show(addresses, wait: wait) : .known(addresses)
        case .status:
            _ = try call.checked(Status.Parameters.self)
            self = .status
        case .monitor:
            let asked = try call.checked(Monitor.Parameters.self)
            guard call.wantsMore else { throw .service(.expectedMore) }
            // The store would have to be read for each event.
            guard asked.filter?.changedFields == nil else { throw .service(.invalidParameter("changedFields")) }
            let selection = EventSelection(
                kinds: try asked.kinds.map(Self.kinds),
                addresses: try asked.addresses.map(Self.addresses).map { Set($0) },
                names: try asked.hostNames.map(Self.hostNames).map { Set($0) },
                fields: try asked.fields.map(Self.fields), tags: asked.tags.map { Set($0) },
                filter: try asked.filter?.decoded())
            self = .monitor(after: asked.after, selection)
        case .list:
            self = .list(try Self.query(try call.checked(List.Parameters.self), isWhole: call.wantsMore))
        case .label:
            let asked = try call.checked(Label.Parameters.self)
            let change = LabelChange(
                isPinned: asked.pinned, addTags: Set(try Self.tags(asked.addTags ?? [], named: "addTags")),
                removeTags: Set(try Self.tags(asked.removeTags ?? [], named: "removeTags")),
                note: try Self.note(asked.note))
            self = .label(try Self.addresses(asked.addresses), change)
        case .refresh:
            self = .refresh(try call.checked(Refresh.Parameters.self).addresses.map(Self.addresses))
        case .history:
            let asked = try call.checked(History.Parameters.self)
            self = .history(try Self.query(asked), matching: try asked.filter?.decoded())
        case .outages:
            let asked = try call.checked(Outages.Parameters.self)
            let limit = try Self.limit(asked.limit, or: Outages.defaultLimit, atMost: Limits.outagesPerPage)
            self = .outages(before: asked.before.map { WallTime(milliseconds: $0) }, limit: limit)
        case .reload:
            let asked = try call.checked(Reload.Parameters.self)
            self = .reload(isForced: asked.force ?? false, isPreview: asked.dryRun ?? false)
        case .count:
            let asked = try call.checked(Count.Parameters.self)
            guard let key = CountKey(asked.by) else { throw .service(.invalidParameter("by")) }
            let limit = try Self.limit(asked.limit, or: Count.defaultLimit, atMost: Limits.groupsPerReply)
            self = .count(CountQuery(key: key, filter: try asked.filter?.decoded(), limit: limit))
        case .addNames:
            let asked = try call.checked(AddNames.Parameters.self)
            self = .addNames(
                try Self.hostNames(asked.hostNames, atMost: Limits.namesPerRequest),
                tags: try Self.tags(asked.tags ?? []), note: try Self.note(asked.note))
        case .removeNames:
            let asked = try call.checked(RemoveNames.Parameters.self)
            self = .removeNames(try Self.hostNames(asked.hostNames, atMost: Limits.namesPerRequest))
        case .names:
            let asked = try call.checked(Names.Parameters.self)
            self = .names(try asked.hostNames.map(Self.hostNames))
        case .nameHistory:
            let asked = try call.checked(NameHistory.Parameters.self)
            let limit = try Self.limit(asked.limit, or: NameHistory.defaultLimit, atMost: Limits.changesPerPage)
            self = .nameHistory(try Self.hostName(asked.name), before: asked.before, limit: limit)
        case .metrics:
            _ = try call.checked(Metrics.Parameters.self)
            self = .metrics
        case .fleet:
            throw .service(.methodNotImplemented(call.method))
        }
    }

    /// The methods of the interface.
    private enum Method: String {
        case add = "Add"
        case remove = "Remove"
        case show = "Show"
        case list = "List"
        case label = "Label"
        case refresh = "Refresh"
        case history = "History"
        case outages = "Outages"
        case monitor = "Monitor"
        case status = "Status"
        case reload = "Reload"
        case addNames = "AddNames"
        case removeNames = "RemoveNames"
        case names = "Names"
        case nameHistory = "NameHistory"
        // Declared in the interface for later versions, but not implemented yet.
        case count = "Count"
        case metrics = "Metrics"
        case fleet = "Fleet"
    }

    private static func addresses(_ texts: [String]) throws(ControlError) -> [IPAddress] {
        try addresses(texts, atMost: Limits.addressesPerRequest)
    }

    private static func addresses(_ texts: [String], atMost limit: Int) throws(ControlError) -> [IPAddress] {
        guard !texts.isEmpty else { throw .service(.invalidParameter("addresses")) }
        guard texts.count <= limit else { throw ControlError(.tooMany(limit: limit, .addressesPerRequest)) }
        var addresses: [IPAddress] = []
        addresses.reserveCapacity(texts.count)
        for text in texts {
            do {
                addresses.append(try IPAddress(text))
            } catch {
                throw .invalidAddress(text, reason: error.description)
            }
        }
        return addresses
    }

    private static func query(_ asked: List.Parameters, isWhole: Bool) throws(ControlError) -> ListQuery {
        var first = Interface.Filter()
        first.search = asked.search
        first.states = asked.state.map { [$0] }
        first.tags = asked.tag.map { [$0] }
        first.pinned = asked.pinned
        first.changedSince = asked.changedSince
        let filters = [try first.decoded(states: "state"), try asked.filter?.decoded()].compactMap { $0 }
        var query = ListQuery(
            filters: filters.filter { $0 != EntryFilter() },
            limit: try limit(asked.limit, or: List.defaultLimit, atMost: Limits.entriesPerPage), isWhole: isWhole)
        if let name = asked.sort {
            guard let field = Record.Field(rawValue: name) else { throw .service(.invalidParameter("sort")) }
            query.sort = FieldOrder(field, isDescending: asked.descending ?? false)
        } else if asked.descending == true {
            throw .service(.invalidParameter("descending"))
        }
        if let text = asked.after {
            guard let cursor = ListCursor(text), cursor.sort?.order == query.sort else { throw .invalidCursor }
            query.after = cursor
        }
        return query
    }

    private static func query(_ asked: History.Parameters) throws(ControlError) -> ChangeQuery {
        guard asked.address == nil || asked.addresses == nil else { throw .service(.invalidParameter("addresses")) }
        let named = asked.addresses ?? asked.address.map { [$0] }
        guard named == nil || asked.filter == nil else { throw .service(.invalidParameter("filter")) }
        return ChangeQuery(
            addresses: try named.map(addresses), since: asked.since.map { WallTime(milliseconds: $0) },
            until: asked.until.map { WallTime(milliseconds: $0) }, fields: try asked.fields.map(fields),
            old: asked.old, new: asked.new, before: asked.before,
            limit: try limit(asked.limit, or: History.defaultLimit, atMost: Limits.changesPerPage))
    }

    private static func limit(_ asked: Int64?, or usual: Int, atMost maximum: Int) throws(ControlError) -> Int {
        guard let asked else { return usual }
        guard asked >= 1 else { throw .service(.invalidParameter("limit")) }
        guard asked <= Int64(maximum) else { throw ControlError(.tooMany(limit: maximum, .pageSize)) }
        return Int(asked)
    }

    private static func tags(_ tags: [String], named name: String = "tags") throws(ControlError) -> [String] {
        guard tags.count <= Limits.tagsPerEntry else {
            throw ControlError(.tooMany(limit: Limits.tagsPerEntry, .tagsPerEntry))
        }
        guard tags.allSatisfy(LabelText.isTag) else { throw .service(.invalidParameter(name)) }
        return Set(tags).sorted()
    }

    private static func note(_ note: String?) throws(ControlError) -> String? {
        guard let note else { return nil }
        guard LabelText.isNote(note) else { throw .service(.invalidParameter("note")) }
        return note
    }

    /// Checks the range of the end of a watch. The keeper refuses a time that has passed.
    private static func end(_ milliseconds: Int64?) throws(ControlError) -> WallTime? {
        guard let milliseconds else { return nil }
        guard milliseconds > 0, milliseconds < Limits.endOfTimes.milliseconds else {
            throw .service(.invalidParameter("until"))
        }
        return WallTime(milliseconds: milliseconds)
    }

    private static func wait(_ milliseconds: Int64?) throws(ControlError) -> Duration {
        guard milliseconds ?? 0 >= 0 else { throw .service(.invalidParameter("wait")) }
        return Show.wait(milliseconds: milliseconds)
    }

    private static func kinds(_ names: [String]) throws(ControlError) -> Set<PublishedEvent.Kind> {
        let kinds = names.compactMap { PublishedEvent.Kind(rawValue: $0) }
        guard kinds.count == names.count else { throw .service(.invalidParameter("kinds")) }
        return Set(kinds)
    }

    private static func fields(_ names: [String]) throws(ControlError) -> Set<Record.Field> {
        let fields = names.compactMap { Record.Field(rawValue: $0) }
        guard fields.count == names.count else { throw .service(.invalidParameter("fields")) }
        return Set(fields)
    }
}

extension IncomingCall {
    fileprivate func checked<Parameters: CallParameters>(
        _ type: Parameters.Type
    ) throws(ControlError) -> Parameters {
        do {
            return try parameters(type)
        } catch {
            throw .service(error)
        }
    }
}
