/// The folders that the daemon keeps to where nothing else is configured.
package struct Places: Hashable, Sendable {
    package var runtime: String
    package var state: String
    package var configuration: String

    /// Where a service keeps to (file-hierarchy(7)).
    package static let system = Places(
        runtime: "/run/iprecord", state: "/var/lib/iprecord", configuration: "/etc/iprecord")

    /// Where a program keeps to that a user without root runs (XDG Base Directory Specification).
    ///
    /// - Returns: nil where neither the variables nor a home folder say where that is.
    package static func user(environment: [String: String]) -> Places? {
        func folder(_ variable: String, _ fallback: String?) -> String? {
            // The specification has relative paths ignored.
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
