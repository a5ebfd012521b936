package import JSON
package import RecordKeeping

/// A writer of entries as JSON, with the members of `Interface.Entry` and `Record`. Most replies consist of entries.
///
/// Thousands of entries share a place, a network, labels or a provider. The JSON of each such value is cached.
package struct EntryWriter: ~Copyable {
    private var places = FragmentCache()
    private var networks = FragmentCache()
    private var labels = FragmentCache()
    /// The fragments that follow the address, by `place(of:_:)`.
    private let heads = FragmentArray(Self.headFragments())
    /// The fragments of `mobile`, `proxy` and `hosting`, by `place(of:_:_:)`.
    private let flags = FragmentArray(Self.flagFragments())
    private var providers = FragmentCache()
    private let offline: OfflineLookup

    /// - Parameter offline: returns the record that is added to an entry without a fresh record.
    package init(offline: @escaping OfflineLookup = { _ in nil }) {
        self.offline = offline
    }

    /// The approximate size of an entry in bytes.
    static let bytesPerEntry = 800

    /// Writes a portion of a reply to `Show`.
    ///
    /// - Parameters:
    ///   - isFirst: whether the portion begins the reply.
    ///   - isLast: whether the portion ends the reply, with a NUL.
    mutating func writePortion(_ entries: [EntryView], isFirst: Bool, isLast: Bool, to writer: inout JSONWriter) {
        if isFirst { writer.raw(#"{"parameters":{"entries":["#) }
        for index in entries.indices {
            if index > 0 || !isFirst { writer.raw(",") }
            write(entries[index], to: &writer)
        }
        if isLast { writer.raw("]}}\0") }
    }

    mutating func write(_ entries: [EntryView], to writer: inout JSONWriter) {
        writer.name("entries")
        writer.array { writer in
            for index in entries.indices {
                if index > 0 { writer.raw(",") }
                write(entries[index], to: &writer)
            }
        }
    }

    private mutating func write(_ view: EntryView, to writer: inout JSONWriter) {
        begin(view.address, to: &writer)
        let watch = view.entry.watch.map { FreshEntryView.WatchKind(origin: $0.origin, isPinned: $0.isPinned) }
        writer.raw(heads[Self.place(of: view.state, watch)])
        if let label = view.entry.watch?.label {
            Self.put(view.ids?.label, from: &labels, to: &writer) { Self.json(of: label.value) }
        } else {
            writer.raw(#","tags":[]"#)
        }
        if let scan = view.entry.scan {
            if case .record(let record) = scan.answer { write(record, view.ids, to: &writer) }
            Self.put(view.ids?.provider, from: &providers, to: &writer) { Self.json(ofProvider: scan.provider) }
            writer.rawNumber(scan.at.wall.milliseconds)
        }
        write(#","expiresAt":"#, view.expiresAt, to: &writer)
        write(#","changedAt":"#, view.entry.changedAt, to: &writer)
        write(#","watchedUntil":"#, view.entry.watch?.listedUntil, to: &writer)
        write(#","reason":"#, view.reason, to: &writer)
        if let failure = view.failure { write(failure, nextAttemptAt: view.nextAttemptAt, to: &writer) }
        if view.state != .fresh, let record = offline(view.address) { Self.write(record, to: &writer) }
        writer.raw("}")
    }

    /// Writes a complete reply to `Show`, with the NUL that ends it.
    ///
    /// - Parameters:
    ///   - internedValues: the interned values; evaluated only to encode a value that is not cached.
    ///   - between: called after each entry; may remove the bytes written so far.
    package mutating func writeReply(
        _ entries: [FreshEntryView], internedValues: @autoclosure () -> InternedValues, to writer: inout JSONWriter,
        between: (inout JSONWriter) -> Void = { _ in }
    ) {
        writer.raw(#"{"parameters":{"entries":["#)
        entries.withUnsafeBufferPointer { entries in
            for index in entries.indices {
                if index > 0 { writer.raw(",") }
                write(entries[index], internedValues, to: &writer)
                between(&writer)
            }
        }
        writer.raw("]}}\0")
    }

    private mutating func write(
        _ entry: FreshEntryView, _ internedValues: () -> InternedValues, to writer: inout JSONWriter
    ) {
        begin(entry.address, to: &writer)
        writer.raw(heads[Self.place(of: .fresh, entry.watch)])
        if let label = entry.ids.label {
            labels.put(label, to: &writer) { internedValues().labels[label].map { Self.json(of: $0.value) } }
        } else {
            writer.raw(#","tags":[]"#)
        }
        writer.raw(#","record":"#)
        let start = writer.count
        let ids = entry.ids
        places.put(ids.place, to: &writer) { internedValues().places[ids.place].map { Self.json(of: $0) } }
        networks.put(ids.network, to: &writer) {
            internedValues().networks[ids.network].map { Self.json(of: $0) }
        }
        write(lat: entry.lat, lon: entry.lon, entry.texts, to: &writer)
        writer.raw(flags[Self.place(of: entry.mobile, entry.proxy, entry.hosting)])
        // Each member begins with a comma; the opening brace replaces the first one.
        writer.begin(at: start)
        writer.raw("}")
        providers.put(ids.provider, to: &writer) {
            internedValues().texts[ids.provider].map { Self.json(ofProvider: $0) }
        }
        writer.rawNumber(entry.scannedAt.milliseconds)
        write(#","expiresAt":"#, entry.expiresAt, to: &writer)
        write(#","changedAt":"#, entry.changedAt, to: &writer)
        write(#","watchedUntil":"#, entry.watchedUntil, to: &writer)
        writer.raw("}")
    }

    private func write(_ failure: Failure, nextAttemptAt: WallTime?, to writer: inout JSONWriter) {
        write(#","failure":{"kind":"#, failure.kind.rawValue, to: &writer)
        write(#","message":"#, failure.message, to: &writer)
        write(#","at":"#, failure.at.wall, to: &writer)
        writer.raw(#","attempts":"#)
        writer.rawNumber(Int64(failure.attempts))
        write(#","nextAttemptAt":"#, nextAttemptAt, to: &writer)
        writer.raw("}")
    }

    private mutating func write(_ record: Record, _ ids: InternedIDs?, to writer: inout JSONWriter) {
        writer.raw(#","record":"#)
        let start = writer.count
        Self.put(ids?.place, from: &places, to: &writer) { Self.json(of: record.place) }
        Self.put(ids?.network, from: &networks, to: &writer) { Self.json(of: record.network) }
        write(lat: record.lat ?? .nan, lon: record.lon ?? .nan, record.texts, to: &writer)
        writer.raw(flags[Self.place(of: record.mobile, record.proxy, record.hosting)])
        writer.begin(at: start)
        writer.raw("}")
    }

    // MARK: Members

    private func write(_ name: StaticString, _ text: String?, to writer: inout JSONWriter) {
        guard let text else { return }
        writer.raw(name)
        writer.rawText(text)
    }

    private func write(_ name: StaticString, _ time: WallTime?, to writer: inout JSONWriter) {
        guard let time else { return }
        writer.raw(name)
        writer.rawNumber(time.milliseconds)
    }

    /// Begins an entry with its address. The next fragment, from `heads`, has the closing quotation mark.
    private func begin(_ address: IPAddress, to writer: inout JSONWriter) {
        writer.raw(#"{"address":""#)
        if let bits = address.v4 { writer.raw(dotted: bits) } else { address.withText { writer.raw($0) } }
    }

    /// Writes the members of a record that are not shared between entries.
    ///
    /// - Parameter lat: the latitude in degrees; NaN if missing. The same holds for `lon`.
    private func write(lat: Double, lon: Double, _ texts: OwnTexts, to writer: inout JSONWriter) {
        if !lat.isNaN {
            writer.raw(#","lat":"#)
            writer.rawNumber(lat)
        }
        if !lon.isNaN {
            writer.raw(#","lon":"#)
            writer.rawNumber(lon)
        }
        texts.withBytes { zip, reverse in
            if !zip.isEmpty {
                writer.raw(#","zip":"#)
                writer.rawText(zip)
            }
            if !reverse.isEmpty {
                writer.raw(#","reverse":"#)
                writer.rawText(reverse)
            }
        }
    }

    /// Writes the fragment of a value, which is cached if the value is interned.
    private static func put(
        _ id: InternID?, from cache: inout FragmentCache, to writer: inout JSONWriter, make: () -> [UInt8]
    ) {
        guard let id else { return writer.raw(make()) }
        cache.put(id, to: &writer, make: make)
    }

    /// Returns the provider, and the name of the member that follows: `scannedAt`.
    private static func json(ofProvider name: String) -> [UInt8] {
        var piece = JSONWriter()
        piece.raw(#","provider":"#)
        piece.rawText(name)
        piece.raw(#","scannedAt":"#)
        return piece.bytes
    }

    // MARK: Enumerated fragments

    /// Returns the fragments that follow an address: each state with each combination of watch, origin and pin.
    private static func headFragments() -> [[UInt8]] {
        let watched = WatchOrigin.allCases.flatMap { origin in
            [false, true].map { #""watched":true,"origin":"\#(origin.rawValue)","pinned":\#($0)"# }
        }
        return EntryState.allCases.flatMap { state in
            ([#""watched":false,"pinned":false"#] + watched).map {
                Array(#"","state":"\#(state.rawValue)",\#($0)"#.utf8)
            }
        }
    }

    /// Returns the index in `heads`.
    private static func place(of state: EntryState, _ watch: FreshEntryView.WatchKind?) -> Int {
        let row =
            switch state {
            case .loading: 0
            case .fresh: 1
            case .stale: 2
            case .empty: 3
            case .failed: 4
            }
        guard let watch else { return row * 7 }
        let origin =
            switch watch.origin {
            case .client: 1
            case .file: 3
            case .name: 5
            }
        return row * 7 + origin + (watch.isPinned ? 1 : 0)
    }

    /// Returns the fragments of three flags, each of which may be missing.
    private static func flagFragments() -> [[UInt8]] {
        let cases: [Bool?] = [nil, false, true]
        return cases.flatMap { mobile in
            cases.flatMap { proxy in
                cases.map { hosting in
                    [("mobile", mobile), ("proxy", proxy), ("hosting", hosting)].flatMap { name, flag in
                        flag.map { Array(#","\#(name)":\#($0)"#.utf8) } ?? []
                    }
                }
            }
        }
    }

    /// Returns the index in `flags`.
    private static func place(of mobile: Bool?, _ proxy: Bool?, _ hosting: Bool?) -> Int {
        func digit(_ flag: Bool?) -> Int { flag.map { $0 ? 2 : 1 } ?? 0 }
        return digit(mobile) * 9 + digit(proxy) * 3 + digit(hosting)
    }
}
