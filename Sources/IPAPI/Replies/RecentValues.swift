import RecordKeeping

/// A cache of the places and networks of recent replies, keyed by the bytes of their fields.
struct RecentValues: Sendable {
    var places = InternCache<Place>(maximum: 1_024)
    var networks = InternCache<Network>(maximum: 1_024)
}
