import Testing

/// What makes the sources hard to read, or says that something is not done.
struct ReadingTests {
    private static let everything = ["Sources", "Tests"]

    @Test(arguments: everything) func `a file has one idea, and is not longer than that takes`(folder: String) throws {
        for file in try SourceTree.files(in: folder) {
            #expect(file.lines.count <= 320, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test(arguments: everything) func `nothing is put off or switched off`(folder: String) throws {
        // Put together, so that this file does not find itself.
        let words = [
            "TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK", "try" + "!", "as" + "!", "fatal" + "Error",
            ".dis" + "abled(",
        ]
        for file in try SourceTree.files(in: folder) {
            for (index, line) in file.lines.enumerated() {
                for word in words where line.contains(word) {
                    Issue.record("\(file.path):\(index + 1): \(word)")
                }
            }
        }
    }

    /// Waiting for a while hopes that something has happened by then; an event says that it has. Only the stand-in, which
    /// has to be slow when it is told to, lets time go by.
    @Test func `no source sleeps`() throws {
        let words = ["Task.sleep", "usleep(", "nanosleep(", " sleep("]
        for file in try SourceTree.files(in: "Sources") where !file.path.hasPrefix("Sources/ip-api-stand-in/") {
            for (index, line) in file.lines.enumerated() {
                for word in words where line.contains(word) {
                    Issue.record("\(file.path):\(index + 1): \(word)")
                }
            }
        }
    }

    /// `swift format lint` checks the rest, but not what stands in comments and texts of several lines. The text of the
    /// interface is as it was agreed.
    @Test(arguments: everything) func `lines fit`(folder: String) throws {
        for file in try SourceTree.files(in: folder) where file.path != "Sources/Control/Interface.swift" {
            for (index, line) in file.lines.enumerated() {
                #expect(line.count <= 130, "\(file.path):\(index + 1) has \(line.count) columns")
                #expect(line.last != " ", "\(file.path):\(index + 1) ends in a blank")
            }
        }
    }
}
