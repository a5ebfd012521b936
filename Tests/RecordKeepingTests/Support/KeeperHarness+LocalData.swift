import Testing

@testable import RecordKeeping

/// A keeper whose provider is local, and its replies.
extension KeeperHarness {
    /// Returns a keeper that reads this version of the local databases.
    static func local(
        _ version: DataVersion?, ignoring ignored: Set<EffectKind> = .upkeep, entries: [SavedEntry] = [],
        restored: Restored = Restored(), changesPerTurn: Int = Limits.changesPerTurn,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> KeeperHarness {
        KeeperHarness(
            ignoring: ignored, settings: .local(version), entries: entries, restored: restored, status: nil,
            changesPerTurn: changesPerTurn, sourceLocation: sourceLocation)
    }

    /// Replies to a call with the example record of each address, or with another answer, from this version.
    @discardableResult
    func reply(
        to call: Call, from version: DataVersion, answering others: [IPAddress: ElementAnswer] = [:]
    ) -> [Effect] {
        let answers = call.addresses.map { ($0, others[$0] ?? .answered(.record(.example))) }
        return handle(
            .replied(
                call.id, Reply(sentAt: now, answers: Dictionary(uniqueKeysWithValues: answers), version: version)))
    }
}

extension Settings {
    static func local(_ version: DataVersion?) -> Settings {
        var settings = Settings()
        settings.useLocalDatabases(version)
        return settings
    }
}

extension DataVersion {
    static let may = DataVersion(id: ID(number: 5), name: "GeoLite2-City")
    static let june = DataVersion(id: ID(number: 6), name: "GeoLite2-City")
    /// The city database of June, and another one.
    static let juneWithASN = DataVersion(id: ID(number: 7), name: "GeoLite2-City, GeoLite2-ASN")
}

extension Scan {
    /// The example record, from this version; nil for a remote provider.
    static func example(from version: DataVersion?, age: Duration) -> Scan {
        Scan(
            answer: .record(.example), at: KeeperHarness.start.advanced(by: .zero - age),
            provider: version?.name ?? "ip-api.com", version: version?.id)
    }
}
