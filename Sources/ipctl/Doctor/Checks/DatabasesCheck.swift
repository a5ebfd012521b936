import Control

/// Checks that the daemon uses the present files of its local databases, or can use them if it does not run.
///
/// Without a local database, there is no finding.
struct DatabasesCheck: Check {
    static let name = "databases"

    /// As the daemon or the check of its configuration reports them.
    let databases: [Interface.Database]
    let now: Int64

    func findings() -> [Finding] { databases.flatMap(findings) }

    private func findings(on database: Interface.Database) -> [Finding] {
        let text = "\(database.path): \(database.version(at: now))"
        switch database.state {
        case "ok": return ok(text)
        case "loading": return skipped(text)
        default:
            let message = database.message ?? text
            guard database.databaseType != nil else {
                return bad(
                    message,
                    remedy: "Install the file, which the daemon then loads, or remove it from databases in [offline] "
                        + "and run: ipctl reload")
            }
            return warning(
                "\(message). The daemon still uses \(database.version(at: now))",
                remedy: "Replace the file by a valid one, which the daemon then loads: "
                    + "ls -l \(database.path.shellWord)")
        }
    }
}
