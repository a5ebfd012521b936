import RecordKeeping

/// The daemon's answer about an address, shared by all lines that contain the address.
final class AddressAnswer {
    enum Phase {
        /// The daemon's reply is pending. It comes at once, unless the daemon is away.
        case asked
        /// The provider's reply is pending. The fields are those of an older record, if there is one.
        case awaited
        case complete
    }

    let address: IPAddress
    var phase = Phase.asked
    /// The fields that lines get; nil if none is known.
    var fields: RenderedFields?
    /// Whether lines with the address are kept, if lines are selected.
    var isSelected = false
    /// Whether the daemon could not be asked.
    var isUnasked = false
    /// The moment from which the daemon is asked again, in milliseconds of the monotonic clock.
    var end: Int64 = 0
    /// The moment from which a line extends the watch of the address, on the same clock.
    var nextWatch: Int64 = 0

    init(_ address: IPAddress) {
        self.address = address
    }

    func complete(until end: Int64) {
        (phase, self.end) = (.complete, end)
    }
}
