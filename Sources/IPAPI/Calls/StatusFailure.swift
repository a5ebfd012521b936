import JSON
import RecordKeeping

/// The failure for a reply whose HTTP status does not indicate success.
struct StatusFailure {
    let failure: CallFailure

    init(_ raw: RawReply, from provider: Provider) {
        if let ofProxy = ProxyFailure(raw, from: provider) {
            failure = ofProxy.failure
            return
        }
        let said = Self.words(in: raw, from: provider)
        let answered = "\(provider.name)\(provider.throughProxy) answered \(raw.status)"
        let kind: Failure.Kind
        let message: String
        switch raw.status {
        case 429:
            kind = .throttled
            // The message is stored, so it omits the end of the window, which would soon be out of date. `Status`
            // reports the end of the window.
            message = "\(answered): the quota is used up"
        case 401, 403:
            kind = .unauthorized
            message = "\(answered)\(said.map { " (\($0))" } ?? ""): \(Self.advice(for: provider))"
        case 300...399:
            kind = .rejected
            let target = raw.header("Location").flatMap { UntrustedText(provider.withoutSecrets($0)).excerpt() }
            message =
                "\(answered), a redirect\(target.map { " to \($0)" } ?? ""); "
                + "check for a captive portal or a wrong endpoint"
        default:
            kind = .rejected
            message = answered + (said.map { ": \($0)" } ?? "")
        }
        failure = CallFailure(kind: kind, message: message, quota: raw.quota, retryAfter: raw.retryAfter)
    }

    private static func advice(for provider: Provider) -> String {
        if let caution = provider.caution { return caution }
        switch (provider.hasKey, provider.proxy) {
        case (true, nil): return "the key is wrong or has expired, or this machine's address is banned"
        case (true, _): return "the key is wrong or has expired, or the proxy's address is banned"
        case (false, nil): return "this machine's address is banned, or a key is required"
        case (false, _): return "the proxy's address is banned, a key is required, or the proxy refuses the request"
        }
    }

    /// The explanation in the body: the `message` of the provider's JSON, or the first line of any other body.
    static func words(in raw: RawReply, from provider: Provider) -> String? {
        // An error page may have any form; if it is not the provider's JSON, it is quoted.
        let message = try? message(in: Array(raw.body.prefix(65_536)))
        let text = message ?? String(decoding: raw.body.prefix(4_096), as: UTF8.self)
        return UntrustedText(provider.withoutSecrets(text)).excerpt()
    }

    /// The `message` of a JSON object, if it is a string.
    private static func message(in body: [UInt8]) throws(JSONError) -> String? {
        var scanner = JSONScanner(body.span.bytes)
        var message: JSONText?
        try scanner.beginObject()
        while let name = try scanner.nextName() {
            if message == nil, scanner.text(name, is: "message"), try scanner.kind() == .string {
                message = try scanner.string()
            } else {
                try scanner.skip()
            }
        }
        try scanner.end()
        return message.map { scanner.string(of: $0) }
    }
}
