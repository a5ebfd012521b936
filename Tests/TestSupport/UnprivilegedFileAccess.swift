import CTestSupport
import Glibc

/// Access to files without the permissions of root, for tests that may run as root.
package enum UnprivilegedFileAccess {
    private static let (user, group): (uid_t, gid_t) = (65_534, 65_534)

    /// Runs a block that accesses files as another user, on this thread only. If this process does not run as root, the
    /// block accesses files as the user of this process.
    package static func run<Result>(_ work: () -> Result) -> Result {
        guard geteuid() == 0 else { return work() }
        ctest_set_file_user(user, group)
        defer { ctest_set_file_user(geteuid(), getegid()) }
        return work()
    }
}
