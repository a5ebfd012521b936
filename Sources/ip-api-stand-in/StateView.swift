import ProviderModel
import RecordKeeping

/// The state of the mock provider in the JSON of `/_admin/state`.
struct StateView: Encodable {
    struct Window: Encodable {
        let limit: Int
        let remaining: Int
        /// The whole seconds until the window ends, as in `X-Ttl`.
        let resetsIn: Int64
    }

    struct ActiveFault: Encodable {
        let name: String
        /// The endpoint with the fault; omitted if both endpoints have it.
        let endpoint: String?
        /// The number of calls that will still have the fault; omitted if it affects all calls.
        let callsLeft: Int?
    }

    /// The number of calls since startup, including calls no longer in the log.
    let calls: Int
    /// The number of connections that carried calls.
    let connections: Int
    /// The number of requests refused because a quota was used up.
    let offences: Int
    let isBanned: Bool
    /// Omitted if the endpoint has no limit.
    let single: Window?
    let batch: Window?
    let faults: [ActiveFault]

    init(of model: ProviderModel, connections: Int, at now: Instant) {
        calls = model.callCount
        self.connections = connections
        offences = model.offences
        isBanned = model.isBanned(at: now.boot)
        single = Self.window(of: .single, limit: model.settings.singleQuota, in: model, at: now)
        batch = Self.window(of: .batch, limit: model.settings.batchQuota, in: model, at: now)
        faults = model.activeFaults.map {
            ActiveFault(name: "\($0.fault)", endpoint: $0.endpoint?.rawValue, callsLeft: $0.callsLeft)
        }
    }

    private static func window(
        of endpoint: Call.Endpoint, limit: Int?, in model: ProviderModel, at now: Instant
    ) -> Window? {
        guard let limit, let reported = model.window(of: endpoint, at: now.boot) else { return nil }
        return Window(limit: limit, remaining: reported.remaining, resetsIn: reported.wholeSeconds)
    }
}
