/// The daemon's default directories.
package struct Places: Hashable, Sendable {
    /// The directory of the control socket.
    package var runtime: String
    /// The directory of the database.
    package var state: String
    /// The directory of `iprecordd.toml` and of the watch-list directory.
    package var configuration: String

    /// The directories of the system service (file-hierarchy(7)).
    package static let system = Places(
        runtime: "/run/iprecord", state: "/var/lib/iprecord", configuration: "/etc/iprecord")

    /// Returns the directories of a daemon that an ordinary user runs (XDG Base Directory Specification).
    ///
    /// - Returns: nil if the XDG variables and HOME do not determine all three directories.
    package static func user(environment: [String: String]) -> Places? {
        func folder(_ variable: String, _ fallback: String?) -> String? {
            // The specification requires relative paths to be ignored.
            if let path = environment[variable], path.hasPrefix("/") { return path + "/iprecord" }
            guard let fallback, let home = environment["HOME"], home.hasPrefix("/") else { return nil }
            return home + fallback + "/iprecord"
        }
        guard let runtime = folder("XDG_RUNTIME_DIR", nil),
            let state = folder("XDG_STATE_HOME", "/.local/state"),
            let configuration = folder("XDG_CONFIG_HOME", "/.config")
        else { return nil }
        return Places(runtime: runtime, state: state, configuration: configuration)
    }
}
