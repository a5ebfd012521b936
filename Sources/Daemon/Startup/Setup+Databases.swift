import Control
import GeoDatabase
import Glibc

/// The check of the local databases.
extension Setup {
    /// The result of reading the local databases for `--check`.
    struct CheckedDatabases {
        /// The files in the order of the configuration, without those that only the daemon can read.
        var databases: [Interface.Database] = []
        /// Files that only the daemon can read, each as text.
        var unverified: [String] = []
    }

    /// Reads each local database as the daemon does. The files are read one after the other, so that only one of them
    /// takes memory.
    func checkedDatabases() -> CheckedDatabases {
        var checked = CheckedDatabases()
        for path in configuration.databases {
            if faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) != 0, errno == EACCES, !isConclusive(path) {
                checked.unverified.append(Self.unverified(path))
                continue
            }
            do throws(GeoDatabaseError) {
                let database = try GeoDatabase(paths: [path])
                _ = database.reload()
                checked.databases += database.states.map { state in
                    Interface.Database(
                        path: state.path, databaseType: state.file?.databaseType, builtAt: state.file?.builtAt,
                        failure: state.failure.map { "\($0)" })
                }
            } catch {
                checked.databases.append(
                    Interface.Database(path: path, databaseType: nil, builtAt: nil, failure: "\(error)"))
            }
        }
        return checked
    }
}
