/// An invalid setting of the provider. The description explains what is wrong and what is valid, and never contains a
/// key or a password.
package enum ProviderError: Error, Hashable, Sendable {
    /// The base URL is invalid; the string explains why.
    case endpoint(String)
    /// The language is not a `Language`; the string is the configured value.
    case language(String)
    /// The key is invalid; the string explains why, without the key.
    case key(String)
}

extension ProviderError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .endpoint(let problem):
            problem
        case .language(let language):
            "unknown language \"\(language)\"; expected one of: "
                + Language.allCases.map(\.rawValue).joined(separator: ", ")
        case .key(let problem):
            "invalid key: \(problem)"
        }
    }
}
