import ArgumentParser

/// The command that a command line names, and the one that may have been meant.
enum CommandName {
    private static let known = Ipctl.configuration.subcommands.map { $0._commandName } + ["help"]

    /// - Throws: a `ValidationError` where there is no such command, or none that help is asked about.
    static func check(_ arguments: [String]) throws {
        let words = words(of: arguments)
        guard let first = words.first else { return }
        let asked = first == "help" ? words.dropFirst().first : first
        guard let asked, !known.contains(asked) else { return }
        let meant = nearest(to: asked).map { "; did you mean \($0)?" } ?? ""
        throw ValidationError("there is no command \"\(asked.printable.cut(to: 40))\"\(meant)")
    }

    /// The words of a command line that are no options: the command comes first.
    private static func words(of arguments: [String]) -> [String] {
        // What the shells' completions and the manual's tests ask for is not for people, and names no command.
        let isForPeople = !arguments.contains {
            $0.hasPrefix("---") || $0.hasPrefix("--generate") || $0.hasPrefix("--experimental")
        }
        guard isForPeople else { return [] }
        let withoutSocket = arguments.indices.filter { index in
            arguments[index] != "--socket" && (index == 0 || arguments[index - 1] != "--socket")
        }
        return withoutSocket.map { arguments[$0] }.filter { !$0.hasPrefix("-") }
    }

    /// The command that is the least to type away; nil where none is near.
    static func nearest(to word: String) -> String? {
        let word = word.lowercased()
        let ranked = known.map { name in (name: name, distance: distance(from: word, to: name)) }
        if let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= min(2, word.count / 2) {
            return best.name
        }
        // "stat", "ls", "rm".
        return word.count < 2 ? nil : known.first { $0.hasPrefix(word) } ?? known.first { isShort(word, for: $0) }
    }

    /// Whether its letters stand in a name in their order, the first in front.
    private static func isShort(_ word: String, for name: String) -> Bool {
        var rest = name[...]
        guard word.first == name.first else { return false }
        for letter in word {
            guard let place = rest.firstIndex(of: letter) else { return false }
            rest = rest[rest.index(after: place)...]
        }
        return true
    }

    /// How many letters have to be put in, taken out, replaced, or swapped with the next (Damerau and Levenshtein).
    private static func distance(from word: String, to name: String) -> Int {
        let (word, name) = (Array(word), Array(name))
        // No name is so long, and what comes along may be.
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
