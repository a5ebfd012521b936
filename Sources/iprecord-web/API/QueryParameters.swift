import Control
import Hummingbird
import HummingbirdCore

/// The query of a request's URI, which must consist of known parameters.
struct QueryParameters {
    private let values: Parameters

    /// - Parameter names: the names that the query may contain.
    /// - Throws: a `Problem` that names an unknown parameter.
    init(_ request: Request, names: Set<String>) throws(Problem) {
        // Browsers and forms encode a space as "+" (url.spec.whatwg.org, application/x-www-form-urlencoded).
        let query = (request.uri.query ?? "").replacing("+", with: "%20")
        values = URI("/?\(query)").queryParameters
        for (name, _) in values where !names.contains(String(name)) {
            throw Problem(status: .badRequest, detail: "unknown parameter \"\(name)\"")
        }
    }

    /// Returns the value of a parameter; nil if it is missing or empty.
    func text(_ name: String) -> String? {
        values[name[...]].map { String($0) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the values of a parameter that may occur several times; nil if there is none.
    func texts(_ name: String) throws(Problem) -> [String]? {
        let texts = values[values: name[...]].map { String($0) }
        guard texts.allSatisfy({ !$0.isEmpty }) else { throw .invalid(name, "a value that is not empty") }
        return texts.isEmpty ? nil : texts
    }

    func number(_ name: String) throws(Problem) -> Int64? {
        guard let text = values[name[...]] else { return nil }
        guard let number = Int64(text) else { throw .invalid(name, "a whole number") }
        return number
    }

    func flag(_ name: String) throws(Problem) -> Bool? {
        switch text(name) {
        case nil: nil
        case "true"?: true
        case "false"?: false
        default: throw .invalid(name, "true or false")
        }
    }

    /// The names of the conditions of `filter`.
    static let filterNames: Set<String> = [
        "search", "state", "tag", "notTag", "pinned", "changedSince", "changedField", "country",
        "notCountry", "asn", "flag",
    ]

    /// Returns the conditions for entries; nil if there is none. Conditions combine with AND, and several values of one
    /// condition with OR.
    func filter() throws(Problem) -> Interface.Filter? {
        var filter = Interface.Filter()
        filter.search = text("search")
        filter.states = try texts("state")
        filter.tags = try texts("tag")
        filter.notTags = try texts("notTag")
        filter.pinned = try flag("pinned")
        filter.changedSince = try number("changedSince")
        filter.changedFields = try texts("changedField")
        filter.countryCodes = try texts("country")
        filter.notCountryCodes = try texts("notCountry")
        if let texts = try texts("asn") {
            let numbers = texts.compactMap { Int64($0) }
            guard numbers.count == texts.count else { throw .invalid("asn", "a whole number") }
            filter.asns = numbers
        }
        filter.flags = try texts("flag")
        return filter == Interface.Filter() ? nil : filter
    }
}
