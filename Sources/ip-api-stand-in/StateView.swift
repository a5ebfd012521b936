import ProviderModel
import RecordKeeping

/// The stand-in's condition as `/_admin/state` tells it.
struct StateView: Encodable {
    struct Window: Encodable {
        let limit: Int
        let remaining: Int
        /// Whole seconds, as `X-Ttl`.
        let resetsIn: Int64
    }

    struct ActiveFault: Encodable {
        let name: String
        /// Left out for all calls.
        let callsLeft: Int?
    }

    /// Since the start, also those whose log was forgotten.
    let calls: Int
    /// How many connections they came over.
    let connections: Int
    /// 429s for want of quota.
    let offences: Int
    let isBanned: Bool
    /// Left out without a limit.
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
        faults = model.activeFaults.map { ActiveFault(name: "\($0.fault)", callsLeft: $0.callsLeft) }
    }

    private static func window(
        of endpoint: Call.Endpoint, limit: Int?, in model: ProviderModel, at now: Instant
    ) -> Window? {
        guard let limit, let told = model.window(of: endpoint, at: now.boot) else { return nil }
        return Window(limit: limit, remaining: told.remaining, resetsIn: told.wholeSeconds)
    }
}
