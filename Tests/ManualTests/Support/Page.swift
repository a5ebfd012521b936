import Foundation

/// The source of a manual page in mdoc(7).
struct Page {
    let path: String
    let text: String
    var lines: [Substring] { text.split(separator: "\n") }

    /// - Parameter name: the file name, such as "ipctl.1".
    init(_ name: String) throws {
        path = Self.folder.appending(path: name).path
        text = try String(contentsOfFile: path, encoding: .utf8)
    }

    static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    private static let folder = top.appending(path: "man")

    /// The file names of all pages, sorted.
    static let names: [String] = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

    /// The list items, each with its heading and the text up to the next item or section.
    var items: [(heading: String, body: String)] {
        var items: [(heading: String, body: String)] = []
        var isHeading = false
        for line in lines {
            if line.hasPrefix(".It ") {
                items.append((String(line), ""))
                isHeading = line == ".It Xo"
            } else if line.hasPrefix(".Ss ") || line.hasPrefix(".Sh ") {
                items.append(("", ""))
            } else if !items.isEmpty {
                items[items.count - 1].body += "\(line)\n"
                if isHeading { items[items.count - 1].heading += " \(line.dropFirst())" }
                if line == ".Xc" { isHeading = false }
            }
        }
        return items
    }

    /// Returns the text of a section (`.Sh` or `.Ss`), up to the next heading of either kind; nil if there is none.
    func section(_ name: String) -> String? {
        var section: String?
        for line in lines {
            if line.hasPrefix(".Ss ") || line.hasPrefix(".Sh ") {
                if section != nil { return section }
                if line.dropFirst(4) == name { section = "" }
            } else {
                section? += "\(line)\n"
            }
        }
        return section
    }

    /// Whether a macro contains this word: `.Cm stale` or `.It Cm added , removed`.
    func names(_ word: String, in text: String? = nil) -> Bool {
        (text ?? self.text).split(separator: "\n").contains { line in
            line.hasPrefix(".") && line.contains("Cm ") && line.split(separator: " ").contains(Substring(word))
        }
    }
}
