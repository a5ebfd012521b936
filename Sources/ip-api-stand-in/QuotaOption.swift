import ArgumentParser

/// The number of requests per window, from an option.
enum QuotaOption: ExpressibleByArgument, CustomStringConvertible {
    case limited(Int)
    /// No limit, and no headers that report one.
    case none

    init?(argument: String) {
        if argument == "none" {
            self = .none
        } else if let number = Int(argument), number >= 0 {
            self = .limited(number)
        } else {
            return nil
        }
    }

    var limit: Int? {
        if case .limited(let number) = self { number } else { nil }
    }

    var description: String { limit.map(String.init) ?? "none" }
}
