import RecordKeeping

extension RecordKeeping.Record.Field {
    /// The fields in the table `network`, in the order of its columns: all but `asn`, which follows from `as`.
    static let ofStoredNetwork = ofNetwork.filter { $0 != .asn }

    /// The fields in the table `record`, in the order of its columns.
    static let own: [RecordKeeping.Record.Field] = [.lat, .lon, .zip, .reverse, .mobile, .proxy, .hosting]
}
