import ArgumentParser

/// An incomplete command line, and the word in it to complete.
struct CompletionLine {
    /// The words from the shell, beginning with the program's name.
    let words: [String]
    /// The part of the word before the cursor.
    let typedPrefix: String

    /// - Parameters:
    ///   - index: the index of the word to complete.
    ///   - prefix: the last word up to the cursor.
    init(words: [String], index: Int, prefix: String) {
        self.words = words
        // The position of the cursor is known only in the last word.
        typedPrefix = index == words.count - 1 || !words.indices.contains(index) ? prefix : words[index]
    }

    /// The value of `--socket`; nil if it is not given.
    var socket: String? {
        for (index, word) in words.enumerated().reversed() {
            if word.hasPrefix("--socket=") { return String(word.dropFirst("--socket=".count)) }
            if word == "--socket", words.indices.contains(index + 1), !words[index + 1].isEmpty {
                return words[index + 1]
            }
        }
        return nil
    }

    /// The columns of the command on the line.
    var columnNames: [String] {
        words.dropFirst().lazy.compactMap { Self.columns[$0] }.first ?? FieldValues.names
    }

    /// The columns of commands whose rows are not entries.
    private static let columns = [
        "history": ChangePrinter.names, "monitor": EventRows.names, "outages": Outages.names, "names": Names.columns,
    ]

    /// Whether the word may become a watched host name. One that consists of digits and dots, or contains a colon, is
    /// taken for an address.
    var takesNames: Bool {
        guard words.dropFirst().contains(where: Self.commandsWithNames.contains) else { return false }
        guard !typedPrefix.hasPrefix("-"), !typedPrefix.contains(":") else { return false }
        return typedPrefix.isEmpty || !typedPrefix.allSatisfy { "0123456789.".contains($0) }
    }

    private static let commandsWithNames: Set = ["history", "monitor", "remove", "show"]

    /// Returns the candidates that begin with the word and are not on the line yet, escaped for the shell.
    func matching(_ candidates: [String]) -> [String] {
        let given = Set(words)
        let matches = candidates.filter { $0.hasPrefix(typedPrefix) && (!given.contains($0) || $0 == typedPrefix) }
        // In zsh, a colon separates a completion from its description.
        return CompletionShell.requesting == .zsh ? matches.map { $0.replacing(":", with: "\\:") } : matches
    }
}
