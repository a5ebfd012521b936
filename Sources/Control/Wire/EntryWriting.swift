import RecordKeeping
import Varlink

/// Puts entries down as `Interface.Entry` and `Interface.Record` are encoded: most of what is told is these.
///
/// A place and a network are put down once for as long as they are told again and again: thousands of addresses have them in
/// common.
package struct EntryWriting: Sendable {
    private var places = Fragments<Place>()
    private var networks = Fragments<Network>()

    package init() {}

    /// About how many bytes an entry has.
    static let bytesPerEntry = 800

    mutating func write(_ entries: [EntryView], to writer: inout JSONWriter) {
        writer.name("entries")
        writer.array { writer in
            for entry in entries {
                writer.rawValue { write(entry, to: &$0) }
            }
        }
    }

    private mutating func write(_ view: EntryView, to writer: inout JSONWriter) {
        let (watch, scan) = (view.entry.watch, view.entry.scan)
        writer.raw(#"{"address":""#)
        view.address.withText { writer.raw($0) }
        writer.raw(#"","state":""#)
        writer.raw(view.state.rawValue)
        writer.raw(watch == nil ? #"","watched":false"# : #"","watched":true"#)
        if let watch { writer.raw(watch.byClient ? #","origin":"client""# : #","origin":"file""#) }
        writer.raw(watch?.isPinned == true ? #","pinned":true,"tags":["# : #","pinned":false,"tags":["#)
        for (place, tag) in (watch?.tags ?? []).enumerated() {
            if place > 0 { writer.raw(",") }
            writer.rawText(tag)
        }
        writer.raw("]")
        write(#","note":"#, watch?.note, to: &writer)
        if let record = scan?.answer.record { write(record, to: &writer) }
        write(#","provider":"#, scan?.provider, to: &writer)
        write(#","scannedAt":"#, scan?.at.wall, to: &writer)
        write(#","expiresAt":"#, view.expiresAt, to: &writer)
        write(#","changedAt":"#, view.entry.changedAt, to: &writer)
        write(#","reason":"#, view.reason, to: &writer)
        if let failure = view.failure { write(failure, nextAttemptAt: view.nextAttemptAt, to: &writer) }
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

    private mutating func write(_ record: Record, to writer: inout JSONWriter) {
        writer.raw(#","record":"#)
        let start = writer.bytes.count
        writer.raw(places.fragment(of: record.place) { Self.json(of: $0) })
        writer.raw(networks.fragment(of: record.network) { Self.json(of: $0) })
        write(#","lat":"#, record.lat, to: &writer)
        write(#","lon":"#, record.lon, to: &writer)
        write(#","reverse":"#, record.reverse, to: &writer)
        write(#","mobile":"#, record.mobile, to: &writer)
        write(#","proxy":"#, record.proxy, to: &writer)
        write(#","hosting":"#, record.hosting, to: &writer)
        // Each member begins with a comma; the first has the brace in its place.
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

    private func write(_ name: StaticString, _ number: Double?, to writer: inout JSONWriter) {
        guard let number else { return }
        writer.raw(name)
        writer.rawNumber(number)
    }

    private func write(_ name: StaticString, _ flag: Bool?, to writer: inout JSONWriter) {
        guard let flag else { return }
        writer.raw(name)
        writer.raw(flag ? "true" : "false")
    }

    // MARK: What many have in common

    /// The members of a place, each with a comma before it.
    private static func json(of place: Place) -> [UInt8] {
        members { writer in
            writer.member("continent", place.continent)
            writer.member("continentCode", place.continentCode)
            writer.member("country", place.country)
            writer.member("countryCode", place.countryCode)
            writer.member("region", place.region)
            writer.member("regionName", place.regionName)
            writer.member("city", place.city)
            writer.member("district", place.district)
            writer.member("zip", place.zip)
            writer.member("timezone", place.timezone)
            writer.member("offset", place.offset.map { Int64($0) })
            writer.member("currency", place.currency)
        }
    }

    private static func json(of network: Network) -> [UInt8] {
        members { writer in
            writer.member("isp", network.isp)
            writer.member("org", network.org)
            writer.member("as", network.as)
            writer.member("asn", network.asn.map { Int64($0) })
            writer.member("asname", network.asname)
        }
    }

    private static func members(_ put: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        writer.object(put)
        let members = writer.bytes.dropFirst().dropLast()
        return members.isEmpty ? [] : [UInt8(ascii: ",")] + members
    }
}

/// What was put down last of some values, each found by which copy it is: a cache with one place for each remainder, so that it
/// never grows.
private struct Fragments<Value: Hashable & Sendable>: Sendable {
    private var known: [(value: Shared<Value>, json: [UInt8])?] = []

    private static var most: Int { 1_024 }

    mutating func fragment(of value: Shared<Value>, make: (Value) -> [UInt8]) -> [UInt8] {
        if known.isEmpty { known = Array(repeating: nil, count: Self.most) }
        // Objects begin at multiples of 16 (malloc(3)).
        let place = Int(value.identity >> 4) & (Self.most - 1)
        if let found = known[place], found.value.isSame(as: value) { return found.json }
        let json = make(value.value)
        known[place] = (value, json)
        return json
    }
}
