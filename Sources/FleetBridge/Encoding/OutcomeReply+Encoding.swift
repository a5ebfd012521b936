import RecordKeeping

extension OutcomeReply {
    private enum Tag: UInt8, Coded {
        case added = 1
        case removed = 2
        case namesAdded = 3
        case namesRemoved = 4
        case labelled = 5
        case refreshing = 6
        case lookingUp = 7
        case permissionDenied = 8
        case notWatched = 9
        case nameNotWatched = 10
        case endInPast = 11
        case tooMany = 12
        case eventsGone = 13
        case invalidCursor = 14
        case storeFailed = 15
        case reloadFailed = 16
    }

    /// Returns the encoded reply.
    ///
    /// - Throws: `BodyError.tooLarge`.
    package func encoded() throws(BodyError) -> [UInt8] {
        var writer = BodyWriter()
        switch self {
        case .added(let count, let already, let ends):
            writer.code(Tag.added, [count, already, ends.removed, ends.kept])
        case .removed(let count, let staying):
            writer.code(Tag.removed, [count])
            writer.addresses(staying)
        case .namesAdded(let count, let already): writer.code(Tag.namesAdded, [count, already])
        case .namesRemoved(let count): writer.code(Tag.namesRemoved, [count])
        case .labelled(let count): writer.code(Tag.labelled, [count])
        case .refreshing(let count, let fresh): writer.code(Tag.refreshing, [count, fresh])
        case .lookingUp: writer.code(Tag.lookingUp)
        case .refused(let refusal): Self.write(refusal, to: &writer)
        }
        return try writer.finish()
    }

    private static func write(_ refusal: Refusal, to writer: inout BodyWriter) {
        switch refusal {
        case .permissionDenied: writer.code(Tag.permissionDenied)
        case .notWatched(let address):
            writer.code(Tag.notWatched)
            writer.address(address)
        case .nameNotWatched(let name):
            writer.code(Tag.nameNotWatched)
            writer.text(name.description)
        case .endInPast: writer.code(Tag.endInPast)
        case .tooMany(let limit, let resource):
            writer.code(Tag.tooMany, [limit])
            writer.code(resource)
        case .eventsGone(let oldest):
            writer.code(Tag.eventsGone)
            writer.signed(oldest)
        case .invalidCursor: writer.code(Tag.invalidCursor)
        case .storeFailed(let reason):
            writer.code(Tag.storeFailed)
            writer.text(reason)
        case .reloadFailed(let reason):
            writer.code(Tag.reloadFailed)
            writer.text(reason)
        }
    }

    /// Decodes a reply. Never traps, and allocates memory in proportion to the number of bytes.
    package init(decoding bytes: [UInt8]) throws(BodyError) {
        var reader = try BodyReader(bytes)
        try self.init(from: &reader)
    }

    init(from reader: inout BodyReader) throws(BodyError) {
        self = try Self.read(from: &reader)
        try reader.checkEnd()
    }

    private static func read(from reader: inout BodyReader) throws(BodyError) -> OutcomeReply {
        switch try reader.code(Tag.self, of: "reply") {
        case .added:
            let (count, already) = (try reader.number(), try reader.number())
            let ends = WatchEndCounts(removed: try reader.number(), kept: try reader.number())
            return .added(count, already: already, ends: ends)
        case .removed: return .removed(try reader.number(), staying: try reader.addresses())
        case .namesAdded: return .namesAdded(try reader.number(), already: try reader.number())
        case .namesRemoved: return .namesRemoved(try reader.number())
        case .labelled: return .labelled(try reader.number())
        case .refreshing: return .refreshing(try reader.number(), fresh: try reader.number())
        case .lookingUp: return .lookingUp
        case .permissionDenied: return .refused(.permissionDenied)
        case .notWatched: return .refused(.notWatched(try reader.address()))
        case .nameNotWatched: return .refused(.nameNotWatched(try reader.name()))
        case .endInPast: return .refused(.endInPast)
        case .tooMany:
            let limit = try reader.number()
            return .refused(.tooMany(limit: limit, try reader.code(LimitedResource.self, of: "resource")))
        case .eventsGone: return .refused(.eventsGone(oldest: try reader.signed()))
        case .invalidCursor: return .refused(.invalidCursor)
        case .storeFailed: return .refused(.storeFailed(try reader.text()))
        case .reloadFailed: return .refused(.reloadFailed(try reader.text()))
        }
    }
}

extension BodyWriter {
    fileprivate mutating func code(_ value: some Coded, _ numbers: [Int]) {
        code(value)
        for number in numbers { self.number(number) }
    }
}
