/// Checks that the file with the provider's key exists and is readable only by the daemon.
struct KeyCheck: Check {
    static let name = "key"

    /// The configured path; nil if none is configured.
    let path: String?
    let reader: ProcessCredentials?
    let target: DoctorTarget

    func findings() -> [Finding] {
        guard let path else { return ok("no key file is configured") }
        return SecretFile(path: path, setting: "key-file", secret: "key", reader: reader, target: target)
            .findings(of: self)
    }
}
