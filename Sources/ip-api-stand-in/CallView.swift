import ProviderModel
import RecordKeeping

/// A logged call in the JSON of `/_admin/calls`.
struct CallView: Encodable {
    let number: Int
    /// The time of the call in milliseconds since 1970, as in the control interface.
    let at: Int64
    /// The same time in nanoseconds of CLOCK_BOOTTIME, for measurements.
    let boot: Int64
    let endpoint: String
    /// The queries as written, valid or not.
    let addresses: [String]
    /// Omitted if no response was sent.
    let status: Int?
    /// The value of `X-Rl`; omitted if the endpoint has no quota.
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
