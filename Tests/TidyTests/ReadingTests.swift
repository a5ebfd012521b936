import Testing

/// Rules for sources that the compiler and the formatter do not check.
struct ReadingTests {
    private static let everything = ["Sources", "Tests"]

    @Test(arguments: everything) func `a source file has at most 320 lines`(folder: String) throws {
        for file in try SourceTree.files(in: folder) {
            #expect(file.lines.count <= 320, "\(file.path) has \(file.lines.count) lines")
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

    /// `swift format lint` does not check comments and multi-line strings. Interface.swift is exempt: it holds the text
    /// of the interface as clients get it.
    @Test(arguments: everything) func `no line is too long or ends in a blank`(folder: String) throws {
        for file in try SourceTree.files(in: folder) where file.path != "Sources/Control/Interface.swift" {
            for (index, line) in file.lines.enumerated() {
                #expect(line.count <= 130, "\(file.path):\(index + 1) has \(line.count) columns")
                #expect(line.last != " ", "\(file.path):\(index + 1) has trailing white space")
            }
        }
    }
}
