/// The provider's base URL: what cannot work, or gives a secret away.
struct EndpointCheck: Check {
    static let name = "endpoint"

    let endpoint: String
    let patient: Patient

    func findings() -> [Finding] {
        func remedy(_ setting: String) -> String { patient.toSet("[provider] endpoint = \(setting)") }
        guard let parts = Endpoint(endpoint) else {
            return [
                bad("\"\(endpoint)\" is no base URL", remedy: remedy("\"\(Endpoint.usual)\""))
            ]
        }
        switch (parts.host, parts.scheme) {
        case (Endpoint.freeHost, "https"):
            return [
                bad(
                    "\(endpoint): the free tier has no TLS, and answers 403 to https",
                    remedy: remedy(Self.withTLSOrWithout))
            ]
        case (Endpoint.paidHost, "http"):
            return [
                warning(
                    "\(endpoint): the key goes over the network in clear text",
                    remedy: remedy("\"https://pro.ip-api.com\""))
            ]
        case (Endpoint.freeHost, _):
            return [ok("\(endpoint): the free tier, for non-commercial use; addresses travel in clear text")]
        default: return [ok(endpoint)]
        }
    }

    /// What works, in clear text or with a key.
    static let withTLSOrWithout = "\"http://ip-api.com\", or with a key \"https://pro.ip-api.com\""
}
