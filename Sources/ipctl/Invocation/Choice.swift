import ArgumentParser

/// Validates the values of options that must be one of several words.
enum Choice {
    /// - Parameter kind: the meaning of the words, such as "state".
    /// - Throws: a `ValidationError` that lists the valid words.
    static func check(_ kind: String, _ words: [String], in choices: [String]) throws {
        guard let unknown = words.first(where: { !choices.contains($0) }) else { return }
        throw ValidationError("unknown \(kind) \"\(unknown)\"; expected one of: \(choices.joined(separator: ", "))")
    }
}
