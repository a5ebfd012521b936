import RecordKeeping

extension ProposalBody {
    private enum Tag: UInt8, Coded {
        case add = 1
        case remove = 2
        case label = 3
        case addNames = 4
        case removeNames = 5
        case refresh = 6
        case refreshAll = 7
        case lookUp = 8
    }

    /// Returns the encoded proposal. The order of addresses and names is kept, and so are duplicates; the tags of a
    /// `LabelChange` are sorted.
    ///
    /// - Throws: `BodyError.tooLarge`.
    package func encoded() throws(BodyError) -> [UInt8] {
        var writer = BodyWriter()
        switch self {
        case .add(let addresses, let tags, let note, let until):
            writer.code(Tag.add)
            writer.flags([until != nil])
            if let until { writer.wall(until) }
            writer.label(tags, note)
            writer.addresses(addresses)
        case .remove(let addresses): writer.code(Tag.remove, addresses)
        case .label(let addresses, let change):
            writer.code(Tag.label)
            writer.flags([change.isPinned != nil, change.isPinned == true])
            writer.label(change.addTags.sortedByBytes(), change.note)
            writer.texts(change.removeTags.sortedByBytes())
            writer.addresses(addresses)
        case .addNames(let names, let tags, let note):
            writer.code(Tag.addNames)
            writer.label(tags, note)
            writer.texts(names.map(\.description))
        case .removeNames(let names):
            writer.code(Tag.removeNames)
            writer.texts(names.map(\.description))
        case .refresh(let addresses?): writer.code(Tag.refresh, addresses)
        case .refresh(nil): writer.code(Tag.refreshAll)
        case .lookUp(let addresses): writer.code(Tag.lookUp, addresses)
        }
        return try writer.finish()
    }

    /// Decodes a proposal. Never traps, and allocates memory in proportion to the number of bytes. The leader checks
    /// the limits of requests (`Limits.addressesPerRequest`) like those of its own clients.
    package init(decoding bytes: [UInt8]) throws(BodyError) {
        var reader = try BodyReader(bytes)
        try self.init(from: &reader)
    }

    init(from reader: inout BodyReader) throws(BodyError) {
        switch try reader.code(Tag.self, of: "proposal") {
        case .add:
            let until = try reader.flags(0b1, of: "flags of an addition") != 0 ? try reader.wall() : nil
            let label = try reader.newLabel()
            self = .add(try reader.addresses(), tags: label.tags, note: label.note, until: until)
        case .remove: self = .remove(try reader.addresses())
        case .label:
            let flags = try reader.flags(0b11, of: "flags of a label")
            guard flags != 0b10 else { throw .unknownCode(UInt64(flags), of: "flags of a label") }
            let label = try reader.newLabel()
            let change = LabelChange(
                isPinned: flags & 1 != 0 ? flags & 2 != 0 : nil, addTags: Set(label.tags),
                removeTags: Set(try reader.textList()), note: label.note)
            self = .label(try reader.addresses(), change)
        case .addNames:
            let label = try reader.newLabel()
            self = .addNames(try reader.names(), tags: label.tags, note: label.note)
        case .removeNames: self = .removeNames(try reader.names())
        case .refresh: self = .refresh(try reader.addresses())
        case .refreshAll: self = .refresh(nil)
        case .lookUp: self = .lookUp(try reader.addresses())
        }
        try reader.checkEnd()
    }
}

extension BodyWriter {
    fileprivate mutating func code(_ value: some Coded, _ addresses: [IPAddress]) {
        code(value)
        self.addresses(addresses)
    }

    fileprivate mutating func label(_ tags: [String], _ note: String?) {
        text(note)
        texts(tags)
    }
}

extension BodyReader {
    fileprivate mutating func names() throws(BodyError) -> [HostName] {
        let count = try count(of: 1)
        var names: [HostName] = []
        names.reserveCapacity(count)
        for _ in 0..<count { names.append(try name()) }
        return names
    }
}

extension Set<String> {
    /// Strings with different bytes that are canonically equivalent would have no order as strings.
    fileprivate func sortedByBytes() -> [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}
