import ArgumentParser

/// Validates the values of options that must be one of several words.
enum Choice {
    /// - Parameter kind: the meaning of the words, such as "state".
    /// - Throws: a `ValidationError` that lists the valid words.
    static func check(_ kind: String, _ words: [String], in choices: [String]) throws {
        guard let unknown = words.first(where: { !choices.contains($0) }) else { return }
        throw ValidationError("unknown \(kind) \"\(unknown)\"; expected one of: \(listed(choices))")
    }

    /// Returns the words separated by commas; a long list is on lines of its own.
    private static func listed(_ choices: [String]) -> String {
        let line = choices.joined(separator: ", ")
        guard line.count > maxColumns else { return line }
        var lines: [String] = []
        for choice in choices {
            if let last = lines.last, last.count + 1 + choice.count < maxColumns {
                lines[lines.count - 1] += " \(choice),"
            } else {
                lines.append("  \(choice),")
            }
        }
        return "\n" + String(lines.joined(separator: "\n").dropLast())
    }

    private static let maxColumns = 80
}
