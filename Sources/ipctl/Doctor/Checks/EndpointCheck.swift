/// The provider's base URL: what cannot work, or gives a secret away.
struct EndpointCheck: Check {
    static let name = "endpoint"

    let endpoint: String
    let patient: Patient

    func findings() -> [Finding] {
        let file = patient.configurationFile ?? "the daemon's configuration"
        func remedy(_ line: String) -> String { "In \(file): \(line). Then: \(patient.restart)" }
        guard let parts = Endpoint(endpoint) else {
            return [
                bad("\"\(endpoint)\" is no base URL", remedy: remedy("[provider] endpoint = \"\(Endpoint.usual)\""))
            ]
        }
        switch (parts.host, parts.scheme) {
        case (Endpoint.freeHost, "https"):
            return [
                bad(
                    "\(endpoint): the free tier has no TLS, and answers 403 to https",
                    remedy: remedy(
                        "[provider] endpoint = \"http://ip-api.com\", or with a key \"https://pro.ip-api.com\""))
            ]
        case (Endpoint.paidHost, "http"):
            return [
                warning(
                    "\(endpoint): the key goes over the network in clear text",
                    remedy: remedy("[provider] endpoint = \"https://pro.ip-api.com\""))
            ]
        case (Endpoint.freeHost, _):
            return [ok("\(endpoint): the free tier, for non-commercial use; addresses travel in clear text")]
        default: return [ok(endpoint)]
        }
    }
}
