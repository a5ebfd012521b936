import ProviderModel
import RecordKeeping

/// A logged call as `/_admin/calls` tells it.
struct CallView: Encodable {
    let number: Int
    /// Milliseconds since 1970, as the control interface tells times.
    let at: Int64
    /// Nanoseconds of CLOCK_BOOTTIME, for measuring.
    let boot: Int64
    let endpoint: String
    /// What was asked about, as it was written.
    let addresses: [String]
    /// Left out where no response was sent.
    let status: Int?
    /// `X-Rl`; left out without the header.
    let remaining: Int?

    init(_ call: LoggedCall) {
        number = call.number
        at = call.at.wall.milliseconds
        boot = call.at.boot.nanoseconds
        endpoint = call.endpoint.rawValue
        addresses = call.queries
        status = call.status
        remaining = call.remaining
    }
}
