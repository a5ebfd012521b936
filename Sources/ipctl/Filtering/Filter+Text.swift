import Control

extension Interface.Filter {
    /// The conditions for people, such as "tag dns or prod, not tag test, country DE".
    var text: String {
        func any(_ name: String, _ values: [String]?) -> String? {
            guard let values, !values.isEmpty else { return nil }
            return name + values.joined(separator: " or ")
        }
        let conditions = [
            search.map { "search \"\($0)\"" }, any("state ", states), any("tag ", tags), any("not tag ", notTags),
            any("country ", countryCodes), any("not country ", notCountryCodes), any("", asns?.map { "AS\($0)" }),
            any("", flags),
            pinned.map { $0 ? "pinned" : "not pinned" },
            changedSince.map { "changed since \(Times.date($0))" + (any(" in ", changedFields) ?? "") },
        ]
        return conditions.compactMap { $0 }.joined(separator: ", ")
    }
}
