import RecordKeeping

/// The sentences that describe events about the provider's health in the journal and in `ipctl monitor`.
package enum ProviderEventText {
    /// Returns the sentence for a failure. If the other endpoint works, the message begins with the failing endpoint,
    /// and the provider as a whole is not failing.
    package static func failure(_ message: String?) -> String {
        guard let message else { return "the provider is failing" }
        let isOfEndpoint = Call.Endpoint.allCases.contains { message.hasPrefix("\($0.rawValue) calls fail: ") }
        return isOfEndpoint ? message : "the provider is failing: \(message)"
    }

    /// Returns the sentence for a recovery. The message names the endpoint if only one was failing.
    package static func recovery(_ message: String?) -> String { message ?? "the provider is answering again" }
}
