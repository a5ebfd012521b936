import ArgumentParser
import Control
import RecordKeeping

/// Checks the name of the command, and suggests a similar name.
enum CommandName {
    private static let known = Ipctl.configuration.subcommands.map { $0._commandName } + ["help"]

    /// The options with a value that may come before the command.
    private static let optionsWithValue: Set<String> = ["--socket", "--timeout"]

    /// - Throws: a `ValidationError` if the command, or the argument of `help`, is unknown.
    static func check(_ arguments: [String]) throws {
        let words = words(of: arguments)
        guard let first = words.first else { return }
        let name = first == "help" ? words.dropFirst().first : first
        guard let name, !known.contains(name) else { return }
        throw ValidationError("unknown command \"\(name.printable.cut(to: 40))\"\(suggestion(for: name))")
    }

    /// Returns the name of the command; nil if there is none.
    static func first(in arguments: [String]) -> String? { words(of: arguments).first }

    /// Returns the end of the message about an unknown command; empty if nothing similar is known.
    private static func suggestion(for name: String) -> String {
        if let address = try? IPAddress(name) { return "; to show the record of an address: ipctl show \(address)" }
        if name == "version" { return "; did you mean --version?" }
        return nearest(to: name).map { "; did you mean \($0)?" } ?? ""
    }

    /// The commands that have other names in other programs.
    private static let synonyms = [
        "delete": "remove", "del": "remove", "erase": "remove", "unwatch": "remove", "watch": "add", "get": "show",
        "lookup": "show", "events": "monitor", "follow": "monitor",
    ]

    /// Whether the output is for a shell or a program: completion scripts and the manual's tests use internal options
    /// without a command.
    static func isInternal(_ arguments: [String]) -> Bool {
        arguments.contains {
            $0.hasPrefix("---") || $0.hasPrefix("--generate") || $0.hasPrefix("--experimental")
        }
    }

    /// The words of a command line that are not options, beginning with the command.
    private static func words(of arguments: [String]) -> [String] {
        guard !isInternal(arguments) else { return [] }
        let withoutValues = arguments.indices.filter { index in
            !optionsWithValue.contains(arguments[index])
                && (index == 0 || !optionsWithValue.contains(arguments[index - 1]))
        }
        return withoutValues.map { arguments[$0] }.filter { !$0.hasPrefix("-") }
    }

    /// Returns the command that begins with the word, or the one with the smallest edit distance; nil if no command is
    /// similar.
    static func nearest(to word: String) -> String? {
        let word = word.lowercased()
        if let command = synonyms[word] { return command }
        if word.count > 2, let command = known.first(where: { $0.hasPrefix(word) }) { return command }
        let ranked = known.map { name in (name: name, distance: distance(from: word, to: name)) }
        if let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= min(2, word.count / 2) {
            return best.name
        }
        // Abbreviations such as "stat", "ls" and "rm".
        return word.count < 2 ? nil : known.first { $0.hasPrefix(word) } ?? known.first { isShort(word, for: $0) }
    }

    /// Whether a name begins with the first letter of a word, and contains the other letters in the same order.
    private static func isShort(_ word: String, for name: String) -> Bool {
        var rest = name[...]
        guard word.first == name.first else { return false }
        for letter in word {
            guard let place = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: place)...]
        }
        return true
    }

    /// The number of insertions, deletions, substitutions and transpositions of letters (Damerau–Levenshtein).
    private static func distance(from word: String, to name: String) -> Int {
        let (word, name) = (Array(word), Array(name))
        // The input may be long, but command names are short.
        guard word.count <= 20 else { return .max }
        var rows = [Array(0...name.count)]
        for (i, letter) in word.enumerated() {
            var row = [i + 1]
            for (j, other) in name.enumerated() {
                var least = min(rows[i][j + 1] + 1, row[j] + 1, rows[i][j] + (letter == other ? 0 : 1))
                if i > 0, j > 0, letter == name[j - 1], word[i - 1] == other {
                    least = min(least, rows[i - 1][j - 1] + 1)
                }
                row.append(least)
            }
            rows.append(row)
        }
        return rows[word.count][name.count]
    }
}
