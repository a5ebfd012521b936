import ArgumentParser

/// The number of requests per window, from an option.
struct QuotaOption: CustomStringConvertible {
    /// The number of requests; nil for no limit and no headers that report one.
    let limit: Int?

    var description: String { limit.map(String.init) ?? "none" }
}

extension QuotaOption: ExpressibleByArgument {
    init?(argument: String) {
        limit = Int(argument)
        guard argument == "none" || limit.map({ $0 >= 0 }) == true else { return nil }
    }
}
