import Foundation

/// A Markdown document of this repository.
struct Document {
    /// Relative to the root of the repository.
    let path: String
    let text: String
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    var directory: URL { SourceTree.top.appending(path: path).deletingLastPathComponent() }

    init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: SourceTree.top.appending(path: path), encoding: .utf8)
    }

    static let paths: [String] = {
        let top = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"]
        let docs = try? FileManager.default.contentsOfDirectory(atPath: SourceTree.top.appending(path: "docs").path)
        return top + (docs ?? []).filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }()

    /// The fenced code blocks, each with its language and the number of its first line.
    var blocks: [(language: String, lines: [Substring], line: Int)] {
        var blocks: [(language: String, lines: [Substring], line: Int)] = []
        var isInside = false
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                isInside.toggle()
                if isInside { blocks.append((String(line.dropFirst(3)), [], index + 2)) }
            } else if isInside {
                blocks[blocks.count - 1].lines.append(line)
            }
        }
        return blocks
    }

    /// Returns the commands of the blocks in a language, without prompts and comments, each with its line number.
    func commands(in language: String) -> [(command: String, line: Int)] {
        blocks.filter { $0.language == language }.flatMap { block in
            block.lines.enumerated().compactMap { index, line in
                var command = line
                if language == "console" {
                    guard line.hasPrefix("$ ") else { return nil }
                    command = line.dropFirst(2)
                }
                if let comment = command.firstRange(of: "  #") { command = command[..<comment.lowerBound] }
                return (command.trimmingCharacters(in: .whitespaces), block.line + index)
            }
        }
    }

    /// The anchors of the headings, as GitHub derives them.
    var anchors: Set<String> {
        // A line of code that begins with # only adds an anchor that no link uses.
        let headings = lines.filter { $0.hasPrefix("#") }
        return Set(
            headings.map { heading in
                let words = heading.drop { $0 == "#" || $0 == " " }.lowercased()
                let kept = words.filter { $0.isLetter || $0.isNumber || "-_ ".contains($0) }
                return kept.replacing(" ", with: "-")
            })
    }
}
