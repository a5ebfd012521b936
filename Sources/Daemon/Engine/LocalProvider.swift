import Dispatch
import GeoDatabase
import NIOConcurrencyHelpers
import RecordKeeping

/// Performs the keeper's calls by reading local databases, on a queue of its own.
///
/// A call never waits for files that are being read: it uses the versions that are in use.
final class LocalProvider: Sendable {
    private let queue = DispatchQueue(label: "iprecord.local-provider")
    private let snapshot: NIOLockedValueBox<GeoSnapshot>
    private let databases: LocalDatabases

    /// Creates a provider that reads the files in use, until `use` replaces them.
    init(_ databases: LocalDatabases) {
        self.databases = databases
        snapshot = NIOLockedValueBox(databases.snapshot)
    }

    /// The version of the files that are read; nil if there is none.
    var version: DataVersion? { snapshot.withLockedValue { $0.version } }

    /// Reads records from these files from now on.
    ///
    /// - Parameter announce: called with their version if it is new, before any call reads from them. Thus, a reply
    ///   from a version follows the announcement of the version.
    func use(_ new: GeoSnapshot, announce: (DataVersion?) -> Void) {
        snapshot.withLockedValue { snapshot in
            if new.version != snapshot.version { announce(new.version) }
            snapshot = new
        }
    }

    /// - Parameter done: called on the queue of the provider.
    func send(_ call: Call, done: @escaping @Sendable (Result<Reply, CallFailure>) -> Void) {
        let sentAt = SystemClock.now
        queue.async { [self] in
            let snapshot = snapshot.withLockedValue { $0 }
            guard let version = snapshot.version else {
                let message = "none of the local databases can be read: \(databases.failures)"
                return done(.failure(CallFailure(kind: .unreachable, message: message)))
            }
            let answers = call.addresses.map { ($0, answer(about: $0, from: snapshot)) }
            done(
                .success(Reply(sentAt: sentAt, answers: Dictionary(uniqueKeysWithValues: answers), version: version)))
        }
    }

    private func answer(about address: IPAddress, from snapshot: GeoSnapshot) -> ElementAnswer {
        let lookup = snapshot.lookup(address)
        for error in lookup.errors { databases.logOnce(error) }
        if let record = lookup.record { return .answered(.record(record)) }
        // Another version of the damaged file may have a record of the address.
        if let error = lookup.errors.first { return .malformed("\(error)") }
        return .answered(.empty(reason: "not in the local databases"))
    }
}
