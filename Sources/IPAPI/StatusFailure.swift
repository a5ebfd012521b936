import FoundationEssentials
import RecordKeeping

/// A reply whose HTTP status is no success, as the failure that it means.
struct StatusFailure {
    let failure: CallFailure

    init(_ raw: RawReply, from provider: Provider) {
        let said = Self.words(in: raw, from: provider)
        let answered = "\(provider.name) answered \(raw.status)"
        let kind: Failure.Kind
        let message: String
        switch raw.status {
        case 429:
            kind = .throttled
            // Not when the window ends: the text is kept, and would not be true a second later. Status tells it.
            message = "\(answered): the quota is used up"
        case 401, 403:
            kind = .unauthorized
            message = "\(answered)\(said.map { " (\($0))" } ?? ""): \(Self.advice(for: provider))"
        case 300...399:
            kind = .rejected
            let target = raw.header("Location").flatMap { ForeignText(provider.withoutKey($0)).excerpt() }
            message =
                "\(answered), a redirection\(target.map { " to \($0)" } ?? ""): a captive portal, or a wrong endpoint?"
        default:
            kind = .rejected
            message = answered + (said.map { ": \($0)" } ?? "")
        }
        failure = CallFailure(kind: kind, message: message, quota: raw.quota)
    }

    private static func advice(for provider: Provider) -> String {
        if let caution = provider.caution { return caution }
        return provider.hasKey
            ? "the key is wrong or has expired, or this machine's address is banned"
            : "this machine's address is banned, or a key is needed"
    }

    /// What the body says for itself: its `message` where it is the provider's JSON, else its first line.
    private static func words(in raw: RawReply, from provider: Provider) -> String? {
        struct Words: Decodable { var message: String }
        // An error page may be anything; a body that is not the provider's JSON is quoted as it is.
        let message = (try? JSONDecoder().decode(Words.self, from: Data(raw.body.prefix(65_536))))?.message
        let text = message ?? String(decoding: raw.body.prefix(4_096), as: UTF8.self)
        return ForeignText(provider.withoutKey(text)).excerpt()
    }
}
