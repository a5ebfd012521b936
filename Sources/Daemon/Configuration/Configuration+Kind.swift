import RecordKeeping

extension Configuration {
    /// The source of the records.
    package enum Kind: String, CaseIterable, Sendable {
        /// A provider on the network.
        case http
        /// The local databases of `[offline] databases`.
        case mmdb
    }

    /// The endpoint as the status reports it.
    var reportedEndpoint: String { kind == .mmdb ? Settings.localEndpoint : endpoint }

    /// Reads the kind of the provider.
    static func kind(_ value: String) throws(BadValue) -> Kind {
        guard let kind = Kind(rawValue: value) else {
            let kinds = Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw BadValue("\"\(value)\" is not a kind of provider; expected one of: \(kinds)")
        }
        return kind
    }
}

extension Configuration.Reading {
    private static let kindKey = "provider.kind"
    private static let databasesKey = "offline.databases"

    /// Adds errors for keys that contradict the kind of the provider.
    mutating func checkKind() {
        guard configuration.kind == .mmdb else { return }
        if configuration.databases.isEmpty, !errors.contains(where: { $0.key == Self.databasesKey }) {
            errors.append(
                source.error(in: Self.kindKey, "\"mmdb\" requires the files: set databases in section [offline]"))
        }
        for name in source.keys where Self.isOfNetwork(name) {
            errors.append(
                source.error(in: name, "not used with kind = \"mmdb\", which needs no network; remove this key"))
        }
        errors.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    }

    /// Whether a key concerns only a provider on the network.
    private static func isOfNetwork(_ key: String) -> Bool {
        key != kindKey && (key.hasPrefix("provider.") || key.hasPrefix("network."))
    }
}
