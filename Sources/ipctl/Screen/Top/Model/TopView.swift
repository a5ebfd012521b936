import Control

/// The content of the screen.
enum TopPage: Hashable {
    case list
    case card(TopCard)
}

/// A part of the screen that is shown over the page and receives the keys.
enum TopOverlay: Hashable {
    /// The keys, from a row on.
    case help(offset: Int)
    case prompt(TopPrompt)
}

/// A text that the user types.
struct TopPrompt: Hashable {
    enum Purpose: Hashable {
        case search
        /// Tags to add to the addresses, or with a leading "-" to remove.
        case tags(addresses: [String])
    }

    let purpose: Purpose
    var text = ""

    /// The maximum number of characters.
    private static let maxLength = 200

    mutating func append(_ character: Character) {
        if text.count < Self.maxLength { text.append(character) }
    }

    var label: String {
        switch purpose {
        case .search: "Search: "
        case .tags(let addresses):
            addresses.count == 1
                ? "Tag, or -TAG to remove: " : "Tag \(Times.count(addresses.count, "address")), or -TAG to remove: "
        }
    }
}

/// The message in the last row, until a key is pressed.
enum TopMessage: Hashable {
    case done(String)
    /// The reply to `Refresh`; the sentence also depends on the current status.
    case refreshed(Control.Refresh.Reply)
    case failed(String)
}
