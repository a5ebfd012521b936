import RecordKeeping

/// The files of a local provider, in successive versions.
struct SimulatedDatabases {
    /// The number of the version; nil if the files cannot be read.
    var number: Int64? = 1

    var version: DataVersion? { number.map(Self.version) }

    /// Every third version has another set of files.
    private static func version(_ number: Int64) -> DataVersion {
        DataVersion(id: DataVersion.ID(number: number), name: number.isMultiple(of: 3) ? "City, ASN" : "City")
    }

    /// Returns the reply that reading a version gives. Some records differ between versions, some are equal, and each
    /// version lacks some addresses.
    static func reply(to call: Call, sentAt: Instant, from version: DataVersion) -> Reply {
        let answers = call.addresses.map { ($0, ElementAnswer.answered(answer(about: $0, from: version))) }
        return Reply(sentAt: sentAt, answers: Dictionary(uniqueKeysWithValues: answers), version: version)
    }

    private static func answer(about address: IPAddress, from version: DataVersion) -> Answer {
        let number = UInt64(version.id.number)
        guard (address.low &+ number) % 7 > 0 else { return .empty(reason: "not in the local databases") }
        var record = Record()
        record.country = "country \(address.low % 5)"
        record.city = address.low.isMultiple(of: 2) ? "city \(address.low % 11)" : "city \(number % 4)"
        if number.isMultiple(of: 3) { record.as = "AS\(1 + address.low % 100) of databases" }
        return .record(record)
    }
}
