import RecordKeeping

/// A value that the encoding writes as one byte.
///
/// The codes are a part of the encoding: they are never used again for another value. Zero is not used.
protocol Coded: CaseIterable {
    var code: UInt8 { get }
}

extension Coded where Self: RawRepresentable, RawValue == UInt8 {
    var code: UInt8 { rawValue }
}

extension BodyWriter {
    mutating func code(_ value: some Coded) {
        byte(value.code)
    }
}

extension BodyReader {
    mutating func code<Value: Coded>(_ type: Value.Type, of kind: String) throws(BodyError) -> Value {
        let code = try byte()
        guard let value = type.allCases.first(where: { $0.code == code }) else {
            throw .unknownCode(UInt64(code), of: kind)
        }
        return value
    }
}

/// The kinds of the writes of a journal row.
enum WriteTag: UInt8, Coded {
    case cohort = 1
    /// A cohort of records that were read from local databases.
    case localCohort = 2
    case put = 3
    case move = 4
    case remove = 5
    case removeCohort = 6
    case removeObsolete = 7
    case putName = 8
    case removeName = 9
    case event = 10
    case noFileEntries = 11
    case fileEntries = 12
    case window = 13
    case health = 14
    case outage = 15
}

extension PublishedEvent.Kind: Coded {
    var code: UInt8 {
        switch self {
        case .added: 1
        case .removed: 2
        case .refreshed: 3
        case .changed: 4
        case .failed: 5
        case .recovered: 6
        case .networkLost: 7
        case .networkRestored: 8
        case .providerFailed: 9
        case .providerRecovered: 10
        case .throttled: 11
        case .nameAdded: 12
        case .nameRemoved: 13
        case .addressAdded: 14
        case .addressRemoved: 15
        case .nameFailed: 16
        case .nameRecovered: 17
        }
    }
}

extension Failure.Kind: Coded {
    var code: UInt8 {
        switch self {
        case .offline: 1
        case .unreachable: 2
        case .timeout: 3
        case .throttled: 4
        case .unauthorized: 5
        case .rejected: 6
        case .malformed: 7
        case .quotaExhausted: 8
        case .storeFailed: 9
        }
    }
}

extension ProviderState: Coded {
    var code: UInt8 {
        switch self {
        case .idle: 1
        case .ok: 2
        case .failing: 3
        case .throttled: 4
        case .unauthorized: 5
        }
    }
}

extension LimitedResource: Coded {
    var code: UInt8 {
        switch self {
        case .watchedAddresses: 1
        case .addressesPerRequest: 2
        case .watchedNames: 3
        case .namesPerRequest: 4
        case .tagsPerEntry: 5
        case .pageSize: 6
        case .groups: 7
        case .lookups: 8
        case .listeners: 9
        case .waitingRequests: 10
        case .queuedChanges: 11
        }
    }
}
