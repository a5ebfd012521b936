import NIOConcurrencyHelpers
package import RecordKeeping

/// Local MMDB files, which together give the record of an address without the network.
///
///     let database = try GeoDatabase(paths: ["/usr/share/GeoIP/GeoLite2-City.mmdb"])
///     for change in database.reload() { print(change) }
///     let lookup = database.lookup(address)
///
/// The files may be replaced at any time: `reload` notices the new ones. Each file is copied into memory, so it can be
/// truncated or overwritten while it is in use. If a new version cannot be used, the previous version stays in use.
///
/// All members can be used on any thread. A lookup never waits for a reload.
package final class GeoDatabase: Sendable {
    /// Maximum number of files.
    package static let maxFiles = 16
    /// Maximum size of a file in bytes: each file takes as much memory, and libmaxminddb 1.7 calculates in 32 bits.
    package static let maxFileBytes = 1 << 31

    private struct State {
        var slots: [GeoDatabaseSlot]
        /// The open files of `slots`. Made once per change to the files, not once per lookup.
        private(set) var snapshot = GeoSnapshot(databases: [])
        private(set) var generation: UInt64 = 0

        init(paths: [String]) { slots = paths.map { GeoDatabaseSlot(path: $0) } }

        /// Called after each change to the open files or their order.
        mutating func updateSnapshot() {
            snapshot = GeoSnapshot(databases: slots.compactMap(\.database))
            generation += 1
        }
    }

    private let state: NIOLockedValueBox<State>
    /// Held while files are read, so that reloads do not overlap.
    private let reloading = NIOLock()
    private let maxFileBytes: Int

    /// Creates a database without files; `configure` sets them.
    package init() {
        state = NIOLockedValueBox(State(paths: []))
        maxFileBytes = Self.maxFileBytes
    }

    /// Opens no file: `reload` does.
    ///
    /// - Parameters:
    ///   - paths: the files in the order of their priority.
    ///   - maxFileBytes: the size limit; tests use a smaller one.
    package init(paths: [String], maxFileBytes: Int = GeoDatabase.maxFileBytes) throws(GeoDatabaseError) {
        guard paths.count <= Self.maxFiles else { throw .tooManyFiles(count: paths.count) }
        state = NIOLockedValueBox(State(paths: paths))
        self.maxFileBytes = maxFileBytes
    }

    /// Replaces the list of files. Files that stay in the list keep the versions that are in use.
    ///
    /// Opens no file: `reload` does. Blocks while a reload reads files.
    ///
    /// - Parameter paths: the files in the order of their priority.
    /// - Returns: the versions in use of files that are no longer in the list.
    package func configure(paths: [String]) throws(GeoDatabaseError) -> [GeoDatabaseFile] {
        guard paths.count <= Self.maxFiles else { throw .tooManyFiles(count: paths.count) }
        return reloading.withLock {
            state.withLockedValue { state in
                let old = state.slots
                guard old.map(\.path) != paths else { return [] }
                state.slots = paths.map { path in
                    old.first { $0.path == path } ?? GeoDatabaseSlot(path: path)
                }
                state.updateSnapshot()
                return old.filter { !paths.contains($0.path) }.compactMap { $0.database?.file }
            }
        }
    }

    /// Opens the files that are new or have changed, and returns the differences from the previous reload.
    ///
    /// Blocks while files are read: about half a second for 100 MB in the page cache. A failure is returned once; the
    /// same version of a broken file is not read again.
    package func reload() -> [GeoDatabaseChange] {
        reloading.withLock {
            var slots = state.withLockedValue { $0.slots }
            let changes = slots.indices.compactMap { slots[$0].reload(maxFileBytes: maxFileBytes) }
            let isNew = changes.contains { change in
                switch change {
                case .opened, .replaced: true
                case .failed, .restored: false
                }
            }
            state.withLockedValue {
                $0.slots = slots
                if isNew { $0.updateSnapshot() }
            }
            return changes
        }
    }

    /// Returns the fields that the open files have for an address.
    package func lookup(_ address: IPAddress) -> GeoLookup { snapshot.lookup(address) }

    /// The open files at this moment, for several lookups in the same versions.
    package var snapshot: GeoSnapshot { state.withLockedValue { $0.snapshot } }

    /// The open files, in the order of the configuration.
    package var files: [GeoDatabaseFile] { state.withLockedValue { $0.slots.compactMap { $0.database?.file } } }

    /// The files that cannot be used in their present version, each with the reason.
    package var failures: [GeoDatabaseError] { state.withLockedValue { $0.slots.compactMap { $0.failure?.error } } }

    /// The configured files, in the order of the configuration.
    package var states: [GeoDatabaseState] {
        state.withLockedValue {
            $0.slots.map { GeoDatabaseState(path: $0.path, file: $0.database?.file, failure: $0.failure?.error) }
        }
    }

    /// Increases with each reload that opened a file, and with each change to the list of files. Lookups give the same
    /// results as long as it stays the same.
    package var generation: UInt64 { state.withLockedValue { $0.generation } }

    /// Memory of the copies in bytes. While a file is replaced, both versions take memory.
    package var byteCount: Int { files.reduce(0) { $0 + $1.byteCount } }
}
