import RecordKeeping

/// Checks the provider's base URL for combinations that cannot work or that expose the key.
struct EndpointCheck: Check {
    static let name = "endpoint"

    let endpoint: String
    let target: DoctorTarget

    func findings() -> [Finding] {
        func remedy(_ setting: String) -> String { target.instructionsToSet("[provider] endpoint = \(setting)") }
        guard endpoint != Settings.localEndpoint else { return ok("local databases; no address is sent to anyone") }
        guard let url = try? BaseURL(endpoint) else {
            return bad("\"\(endpoint)\" is not a valid base URL", remedy: remedy("\"http://\(BaseURL.freeHost)\""))
        }
        switch (url.host, url.scheme) {
        case (BaseURL.freeHost, .https):
            return bad(
                "\(endpoint): the free tier does not support https, and answers 403",
                remedy: remedy(Self.withTLSOrWithout))
        case (BaseURL.paidHost, .http):
            return warning("\(endpoint): the key is sent in clear text", remedy: remedy("\"https://pro.ip-api.com\""))
        case (BaseURL.freeHost, _):
            return ok("\(endpoint): the free tier, for non-commercial use; addresses are sent in clear text")
        default: return ok(endpoint)
        }
    }

    /// The URLs that work, without and with a key.
    static let withTLSOrWithout = "\"http://ip-api.com\", or with a key \"https://pro.ip-api.com\""
}
