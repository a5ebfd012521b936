package import RecordKeeping

extension Record.Field {
    /// The fields in the table `network`, in the order of its columns: all but `asn`, which follows from `as`.
    package static let ofStoredNetwork = ofNetwork.filter { $0 != .asn }

    /// The fields in the table `record`, in the order of its columns.
    package static let own: [Record.Field] = [.lat, .lon, .zip, .reverse, .mobile, .proxy, .hosting]
}
