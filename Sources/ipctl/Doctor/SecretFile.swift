import Glibc

/// A file with a secret, which must exist and be readable only by the daemon.
struct SecretFile {
    let path: String
    /// The key of the configuration that names the file.
    let setting: String
    /// The secret in the file: "key".
    let secret: String
    let reader: ProcessCredentials?
    let target: DoctorTarget

    /// - Parameter check: the check that the findings belong to.
    func findings(of check: some Check) -> [Finding] {
        switch FileStatus(path) {
        case .missing(EACCES): return check.skipped("you cannot access \(path)", remedy: DoctorTarget.rootRemedy)
        case .missing(let error):
            return check.bad(
                "cannot read \(path): \(meaning(of: error)); the daemon does not start without it",
                remedy: "Put the \(secret) there, or remove \(setting) from the configuration. Then: \(target.restart)")
        case .found(let status):
            let remedy =
                DoctorTarget.asRoot("chown root:iprecord \(path.shellWord)") + "; "
                + DoctorTarget.asRoot("chmod 0640 \(path.shellWord)")
            if let reader, !reader.hasPermission(4, status) {
                return check.bad("the daemon cannot read \(path): its mode is \(status.permissions)", remedy: remedy)
            }
            guard status.st_mode & 0o004 == 0 else {
                return check.warning(
                    "all users can read the \(secret) in \(path): its mode is \(status.permissions)", remedy: remedy)
            }
            return check.ok("\(path), mode \(status.permissions)")
        }
    }
}
