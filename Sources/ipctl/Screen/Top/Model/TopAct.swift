import Control

/// A change that the user requested for one or more addresses.
enum TopAct: Hashable {
    case refresh([String])
    case label(Labelling)
}

extension TopAct {
    /// Returns the act that pins addresses, or unpins them if all of them are pinned.
    static func pin(_ addresses: [String], arePinned: Bool) -> TopAct {
        .label(
            Labelling(addresses: addresses, isPinned: !arePinned, participle: arePinned ? "unpinned" : "pinned"))
    }

    /// Returns the act for typed tags, of which those with a leading "-" are removed; nil if there are none.
    ///
    /// - Throws: a `ValidationError` if a tag is invalid.
    static func tag(_ addresses: [String], _ text: String) throws -> TopAct? {
        let words = text.split(separator: " ").map(String.init)
        let removed = words.filter { $0.hasPrefix("-") }.map { String($0.dropFirst()) }
        let added = words.filter { !$0.hasPrefix("-") }
        guard !words.isEmpty else { return nil }
        try TagText.checkNew(added)
        try TagText.check(removed)
        return .label(
            Labelling(
                addresses: addresses, addTags: added.isEmpty ? nil : added, removeTags: removed.isEmpty ? nil : removed,
                participle: added.isEmpty ? "untagged" : "tagged"))
    }

    /// Returns the error of the call as it is shown to the user.
    func explained(_ error: CommandError) -> CommandError {
        switch self {
        case .refresh: error
        case .label(let labelling): labelling.explained(error)
        }
    }
}
