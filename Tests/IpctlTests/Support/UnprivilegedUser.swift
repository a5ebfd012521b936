import Foundation
import Glibc
import TestSupport

/// A user other than root, who owns none of the test's files.
enum UnprivilegedUser {
    static let user: uid_t = 65_534
    private static let setpriv = "/usr/bin/setpriv"
    /// Whether this user can run the built program, determined by a trial.
    static let isPossible = geteuid() == 0 && (try? BuiltIpctl.run(["--version"], prefix: prefix).status) == 0

    /// The command that runs another one as this user (setpriv(1)).
    static let prefix = [setpriv, "--reuid=\(user)", "--regid=\(user)", "--clear-groups"]
}
