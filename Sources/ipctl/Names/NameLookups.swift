import RecordKeeping

/// Lookups of host names with the resolver of this machine, all at the same time.
struct NameLookups {
    /// Maximum number of names in a command: each lookup has a thread, and a few names are typical.
    static let maxNames = 64
    /// Maximum number of names or addresses that a message names.
    private static let maxNamed = 10

    private let results: [HostName: NameLookup]

    /// Looks up names, at most `maxNames`.
    ///
    /// - Parameters:
    ///   - end: the time limit of all lookups; nil for none.
    ///   - lookUp: looks up a name, and may block.
    init(
        of names: Set<HostName>, until end: Deadline?,
        lookUp: @escaping @Sendable (String) -> NameLookup = { NameLookup(of: $0) }
    ) throws(CommandError) {
        guard names.count <= Self.maxNames else {
            let count = Times.grouped(names.count)
            throw CommandError(
                status: .usage, message: "a command can have at most \(Self.maxNames) host names; this one has \(count)"
            )
        }
        let signal = try LookupSignal()
        let threads = try names.map { name throws(CommandError) in
            try LookupThread(name, signal: signal, lookUp)
        }
        signal.await(threads.count, until: end)
        let limit = end.map { "no reply within \(Times.exactSpan(milliseconds: $0.spanMilliseconds))" } ?? "no reply"
        results = Dictionary(uniqueKeysWithValues: threads.map { ($0.name, $0.lookup ?? .failed(limit)) })
    }

    /// Returns the addresses of each name, in the order of `ipctl list`.
    ///
    /// - Throws: an error that names the names that have no address. Its status is `noHost` if a name has none for
    ///   certain, and `tryLater` otherwise.
    var addresses: [HostName: [IPAddress]] {
        get throws(CommandError) {
            var failed: [(name: HostName, reason: String)] = []
            var status = ExitStatus.tryLater
            for (name, result) in results {
                guard case .failed(let reason, let isTemporary) = result else { continue }
                failed.append((name, reason))
                if !isTemporary { status = .noHost }
            }
            guard !failed.isEmpty else { return results.mapValues { $0.addresses.sorted() } }
            failed.sort { $0.name < $1.name }
            var lines = failed.prefix(Self.maxNamed).map { "cannot resolve \($0.name): \($0.reason)" }
            let others = failed.count - lines.count
            if others > 0 { lines.append("cannot resolve \(Times.count(others, "more name"))") }
            throw CommandError(status: status, message: lines.joined(separator: "\n"))
        }
    }

    /// Returns a sentence about the addresses of a name.
    static func sentence(_ name: HostName, _ addresses: [IPAddress]) -> String {
        let named = addresses.prefix(maxNamed).map(\.description).joined(separator: ", ")
        guard addresses.count > 1 else { return "\(name) has the address \(named)" }
        let others = addresses.count - maxNamed
        let rest = others > 0 ? " and \(Times.grouped(others)) more" : ""
        return "\(name) has \(Times.count(addresses.count, "address")): \(named)\(rest)"
    }
}
