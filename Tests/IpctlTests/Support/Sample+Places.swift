import Control
import RecordKeeping
import Varlink

@testable import ipctl

extension Sample {
    /// Returns an entry at a place; without coordinates, it has no record.
    static func placed(
        _ lat: Double?, _ lon: Double?, state: EntryState = .fresh, city: String? = nil, address: String = address,
        expires: Int64? = nil, pinned: Bool = false
    ) throws -> Interface.Entry {
        var record: Record?
        if let lat, let lon {
            var known = Sample.record
            (known.lat, known.lon, known.city) = (lat, lon, city)
            record = known
        }
        var watch = Sample.watch
        watch.isPinned = pinned
        return try entry(
            state, address: address, watch: watch, record: record, scanned: record == nil ? nil : -1, expires: expires)
    }

    /// Returns the daemon's counts by state, and for each state those by place.
    static func counted(_ entries: [Interface.Entry]) -> (
        states: Control.Count.Reply, places: [(state: String, reply: Control.Count.Reply)]
    ) {
        let states = Dictionary(grouping: entries, by: \.state).sorted { $0.key < $1.key }
        let places = states.map { state, entries in
            let groups = Dictionary(grouping: entries) { entry in
                [entry.record?.city, entry.record?.country].compactMap { $0 }.joined(separator: ", ")
            }
            let reply = Control.Count.Reply(
                groups: groups.sorted { $0.key < $1.key }.map { key, entries in
                    Interface.Group(
                        key: key, count: entries.count, lat: entries[0].record?.lat, lon: entries[0].record?.lon)
                }, total: entries.count)
            return (state, reply)
        }
        return (
            Control.Count.Reply(
                groups: states.map { Interface.Group(key: $0.key, count: $0.value.count) }, total: entries.count),
            places
        )
    }
}

extension Sample {
    /// Returns the daemon's replies to `ipctl map`: the counts by state, and for each state those by place.
    static func counts(_ entries: [Interface.Entry]) -> [[UInt8]] {
        let counted = counted(entries)
        return [OutgoingReply.message(counted.states)] + counted.places.map { OutgoingReply.message($0.reply) }
    }
}

extension MapCounts {
    mutating func add(_ entries: [Interface.Entry]) {
        for (state, reply) in Sample.counted(entries).places { add(reply, of: state) }
    }
}
