/// Why settings of the provider are refused. The description says what is wrong and what would be right, and never
/// holds a key or a password.
package enum ProviderError: Error, Hashable, Sendable {
    /// The base URL is none; the text is half a sentence.
    case endpoint(String)
    /// The language is not among `Language`.
    case language(String)
    /// The key cannot be one; the text is half a sentence.
    case key(String)
}

extension ProviderError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .endpoint(let problem):
            "endpoint: \(problem)"
        case .language(let language):
            "language: \"\(language)\" is not offered; write one of "
                + Language.allCases.map(\.rawValue).joined(separator: ", ")
        case .key(let problem):
            "key: \(problem)"
        }
    }
}
