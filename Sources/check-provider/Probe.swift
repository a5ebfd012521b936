import IPAPI
import RecordKeeping

/// A request whose response is compared.
struct Probe {
    let title: String
    let request: ProviderRequest
    /// The call of the daemon that results in this request; nil if none does.
    var call: Call?
    /// Whether the request is made over https, which the free tier refuses.
    var isSecure = false

    var endpoint: Call.Endpoint { request.body == nil ? .single : .batch }

    private init(_ title: String, _ request: ProviderRequest, isSecure: Bool = false) {
        self.title = title
        self.request = request
        self.isSecure = isSecure
    }

    private init(_ title: String, _ addresses: [String], isBatch: Bool = false) throws {
        self.title = title
        let call = Call(
            id: Call.ID(number: 1), endpoint: isBatch ? .batch : .single,
            addresses: try addresses.map { try IPAddress($0) })
        request = ProviderRequest(call, to: try Provider())
        self.call = call
    }

    private init(_ title: String, batch body: String) {
        self.init(title, ProviderRequest(path: "/batch", query: allFields, body: Array(body.utf8)))
    }

    /// At most ten probes, so that a check spends little of the quota. All addresses have ordinary records in the
    /// model.
    static func all() throws -> [Probe] {
        let addresses = Array(repeating: #""8.8.8.8""#, count: Limits.addressesPerBatch + 1)
        return [
            try Probe("a record", ["8.8.8.8"]),
            try Probe("a private address", ["192.168.1.1"]),
            try Probe("a reserved address", ["127.0.0.1"]),
            Probe("an invalid address", ProviderRequest(path: "/json/8.8.8.8.8", query: allFields)),
            Probe("the default fields", ProviderRequest(path: "/json/8.8.8.8", query: "")),
            Probe(
                "unknown fields and another language",
                ProviderRequest(path: "/json/8.8.8.8", query: "fields=status,query,country,lat,nonsense&lang=de")),
            try Probe("a batch", ["8.8.8.8", "2606:4700:4700::1111", "192.168.1.1", "127.0.0.1"], isBatch: true),
            Probe(
                "a batch of objects and an invalid address",
                batch: #"[{"query":"8.8.8.8","fields":"query,country","lang":"de"},"8.8.8.8.8"]"#),
            Probe("a batch of more than \(Limits.addressesPerBatch)", batch: "[\(addresses.joined(separator: ","))]"),
            Probe("https", ProviderRequest(path: "/json/8.8.8.8", query: allFields), isSecure: true),
        ]
    }
}

private let allFields = "fields=\(ProviderRequest.allFields)"
