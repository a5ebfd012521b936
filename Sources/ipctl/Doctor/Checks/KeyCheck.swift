import Glibc

/// Checks that the file with the provider's key exists and is readable only by the daemon.
struct KeyCheck: Check {
    static let name = "key"

    /// The configured path; nil if none is configured.
    let path: String?
    let reader: ProcessCredentials?
    let target: DoctorTarget

    func findings() -> [Finding] {
        guard let path else { return ok("no key file is configured") }
        switch FileStatus(path) {
        case .missing(EACCES): return skipped("you cannot access \(path)", remedy: DoctorTarget.rootRemedy)
        case .missing(let error):
            return bad(
                "cannot read \(path): \(meaning(of: error)); the daemon does not start without it",
                remedy: "Put the key there, or remove key-file from the configuration. Then: \(target.restart)")
        case .found(let status):
            let remedy =
                DoctorTarget.asRoot("chown root:iprecord \(path.shellWord)") + "; "
                + DoctorTarget.asRoot("chmod 0640 \(path.shellWord)")
            if let reader, !reader.hasPermission(4, status) {
                return bad("the daemon cannot read \(path): its mode is \(status.permissions)", remedy: remedy)
            }
            guard status.st_mode & 0o004 == 0 else {
                return warning(
                    "all users can read the key in \(path): its mode is \(status.permissions)", remedy: remedy)
            }
            return ok("\(path), mode \(status.permissions)")
        }
    }
}
