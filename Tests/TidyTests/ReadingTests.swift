import Testing

/// Rules for sources that the compiler and the formatter do not check.
struct ReadingTests {
    private static let everything = ["Sources", "Tests"]

    @Test(arguments: everything) func `a source file has at most 300 lines`(folder: String) throws {
        for file in try SourceTree.files(in: folder) {
            #expect(file.lines.count <= 300, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test(arguments: everything) func `no open tasks, forced operations or disabled tests`(folder: String) throws {
        // Split, so that this file does not match.
        let words = [
            "TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK", "try" + "!", "as" + "!", "fatal" + "Error",
            ".dis" + "abled(",
        ]
        for file in try SourceTree.files(in: folder) {
            for (index, line) in file.lines.enumerated() {
                for word in words where line.contains(word) {
                    Issue.record("\(file.path):\(index + 1): forbidden word \(word)")
                }
            }
        }
    }

    /// A sleep does not guarantee that something has happened; an event does. Only the mock provider sleeps, to
    /// simulate slow replies.
    @Test func `no source but the mock provider sleeps`() throws {
        let words = ["Task.sleep", "usleep(", "nanosleep(", " sleep("]
        for file in try SourceTree.files(in: "Sources") where !file.path.hasPrefix("Sources/ip-api-stand-in/") {
            for (index, line) in file.lines.enumerated() {
                for word in words where line.contains(word) {
                    Issue.record("\(file.path):\(index + 1): forbidden word \(word)")
                }
            }
        }
    }

    /// Words of the project's first vocabulary, which `docs/glossary.md` has replaced with the field's terms. They are
    /// also found within identifiers.
    @Test(arguments: everything) func `sources use the terms of the glossary`(folder: String) throws {
        // Split, so that this file does not match.
        let banned = [
            "un" + "to" + "ld", "to" + "ld", "a" + "new", "who" + "ever", "gla" + "nces?", "led" + "ger", "cro" + "wd",
            "idle" + "ness", "compl" + "ain(?:ts?)?", "happen" + "ing", "agen" + "da", "di" + "ce", "ask" + "Way",
            "no" + "Way", "carry" + " Out", "au" + "dience", "patie" + "nt", "company" + " Size", "stri" + "kes",
            "stand" + " In", "al" + "arm", "sto" + "ry", "settle" + "d", "under" + " Way",
        ]
        let pattern = try Regex("\\b(?:" + banned.joined(separator: "|") + ")\\b").ignoresCase()
        for file in try SourceTree.files(in: folder) {
            for (index, line) in file.lines.enumerated() {
                // The line as it is, and with its identifiers split into words.
                let words = line + " " + line.replacing(/([a-z])([A-Z])/) { "\($0.1) \($0.2)" }
                if let word = words.firstMatch(of: pattern) {
                    Issue.record("\(file.path):\(index + 1): \(words[word.range])")
                }
            }
        }
    }
}
