import ArgumentParser

/// A command line that a person has begun, and the word in it that is to be completed.
struct CompletionLine {
    /// As the shell has them, the program's name first.
    let words: [String]
    /// What stands of the word before the cursor.
    let begun: String

    /// - Parameters:
    ///   - index: of the word that is to be completed.
    ///   - prefix: the last word, up to the cursor.
    init(words: [String], index: Int, prefix: String) {
        self.words = words
        // Only of the last word is it known where the cursor is.
        begun = index == words.count - 1 || !words.indices.contains(index) ? prefix : words[index]
    }

    /// What --socket says on it.
    var socket: String? {
        for (index, word) in words.enumerated().reversed() {
            if word.hasPrefix("--socket=") { return String(word.dropFirst("--socket=".count)) }
            if word == "--socket", words.indices.contains(index + 1), !words[index + 1].isEmpty {
                return words[index + 1]
            }
        }
        return nil
    }

    /// Of these what begins like the word, and does not stand on the line already; as the shell takes it.
    func offered(_ candidates: [String]) -> [String] {
        let given = Set(words)
        let fitting = candidates.filter { $0.hasPrefix(begun) && (!given.contains($0) || $0 == begun) }
        // For zsh, what follows a colon describes what stands before it.
        return CompletionShell.requesting == .zsh ? fitting.map { $0.replacing(":", with: "\\:") } : fitting
    }
}
