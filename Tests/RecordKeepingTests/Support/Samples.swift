@testable import RecordKeeping

extension Settings {
    /// A provider without documented limits.
    static let unlimitedProvider = Settings(providerName: "mock", documentedLimits: [:])
}

extension RankCounts {
    /// The addresses of a call for one background refresh.
    static let one = RankCounts(background: 1)
}

extension Record {
    static var example: Record {
        var record = Record()
        record.country = "Germany"
        record.city = "Berlin"
        record.as = "AS3320 Deutsche Telekom AG"
        return record
    }
}

extension [Effect] {
    var calls: [Call] {
        compactMap { if case .call(let call) = $0 { call } else { nil } }
    }

    var commits: [Commit] {
        compactMap { if case .commit(let commit) = $0 { commit } else { nil } }
    }

    /// The events that are logged in the journal.
    var announced: [PublishedEvent] {
        compactMap { if case .announce(let event) = $0 { event } else { nil } }
    }

    func answer(to id: Request.ID) -> Response? {
        for case .answer(id, let response) in self { return response }
        return nil
    }

    /// The events that are published to a listener.
    func reported(to id: Request.ID) -> [PublishedEvent] {
        compactMap {
            if case .publish(let event, _, to: let requests) = $0, requests.contains(id) { event } else { nil }
        }
    }
}

/// Successive public addresses: 1.0.0.0, 1.0.0.1, …
func addresses(_ count: Int, from first: UInt32 = 0x0100_0000) -> [IPAddress] {
    (0..<UInt32(count)).map { IPAddress(v4: first + $0) }
}
