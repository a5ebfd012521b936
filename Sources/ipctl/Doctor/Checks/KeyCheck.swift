import Glibc

/// The file with the provider's key: there, readable for the daemon, and for nobody else.
struct KeyCheck: Check {
    static let name = "key"

    /// What the configuration names; nil where it names none.
    let path: String?
    let reader: DaemonProcess?
    let patient: Patient

    func findings() -> [Finding] {
        guard let path else { return [ok("the configuration names no file with a key")] }
        switch FileStatus(path) {
        case .missing(EACCES): return [skipped("\(path) cannot be looked at by you", remedy: Patient.lookAsRoot)]
        case .missing(let error):
            return [
                bad(
                    "\(path) cannot be read: \(meaning(of: error)); the daemon does not start without it",
                    remedy: "Put the key there, or take key-file out of the configuration. Then: \(patient.restart)")
            ]
        case .found(let status):
            if let reader, !reader.may(4, status) {
                return [
                    bad(
                        "the daemon may not read \(path): its mode is \(status.permissions)",
                        remedy: Patient.asRoot("chown root:iprecord \(path.shellWord)") + "; "
                            + Patient.asRoot("chmod 0640 \(path.shellWord)"))
                ]
            }
            guard status.st_mode & 0o004 == 0 else {
                return [
                    warning(
                        "everybody may read the key in \(path): its mode is \(status.permissions)",
                        remedy: Patient.asRoot("chown root:iprecord \(path.shellWord)") + "; "
                            + Patient.asRoot("chmod 0640 \(path.shellWord)"))
                ]
            }
            return [ok("\(path), mode \(status.permissions)")]
        }
    }
}
