import Foundation
import Testing

/// The documents agree with the repository: commands, links, files, tests and modules.
struct DocumentTests {
    @Test func `the README has at most 8 KiB`() throws {
        #expect(try Document("README.md").text.utf8.count <= 8_192)
    }

    @Test(arguments: ["README.md", "CONTRIBUTING.md"])
    func `the documents name the toolchain that the package requires`(path: String) throws {
        let first = try #require(try Self.lines(of: "Package.swift").first)
        let version = try #require(first.split(separator: " ").last)
        #expect(try Document(path).text.contains("Swift \(version)"), "\(path) does not name Swift \(version)")
    }

    @Test(arguments: Document.paths) func `each block of code has a known language`(path: String) throws {
        for block in try Document(path).blocks {
            let isExpected = ["console", "json", "nginx", "sh", "text"].contains(block.language)
            #expect(isExpected, "\(path):\(block.line): unexpected language \"\(block.language)\"")
        }
    }

    /// `make transcript` runs the commands that are shown with output. Tests/Package/documents.test contains each other
    /// command literally; VarlinkDocumentTests reads those for Python.
    @Test(arguments: Document.paths) func `a test runs each command`(path: String) throws {
        let document = try Document(path)
        let transcript = try Self.lines(of: "scripts/transcript")
        for (command, line) in document.commands(in: "console") {
            let isGenerated = transcript.contains { $0.contains("\"\(command.replacing("\"", with: "\\\""))\"") }
            #expect(isGenerated, "\(path):\(line): make transcript does not run \(command)")
        }
        let tested = try Self.lines(of: "Tests/Package/documents.test").map { $0.trimmingCharacters(in: .whitespaces) }
        let targets = try Self.makeTargets()
        for (command, line) in document.commands(in: "sh") where !command.isEmpty {
            let words = command.split(separator: " ").drop { $0 == "sudo" }
            if words.first == "make" {
                let target = words.dropFirst().first.map(String.init) ?? "help"
                #expect(targets.contains(target), "\(path):\(line): unknown make target \(target)")
            } else if command.hasPrefix("python3 -m varlink.cli ") {
                #expect(path == "docs/varlink.md", "\(path):\(line): VarlinkDocumentTests does not read this document")
            } else {
                let isTested = tested.contains(command) || transcript.contains { $0.contains("\"\(command)\"") }
                #expect(isTested, "\(path):\(line): no test runs \(command)")
            }
        }
    }

    @Test(arguments: Document.paths) func `each make target in the text exists`(path: String) throws {
        let document = try Document(path)
        let targets = try Self.makeTargets()
        for match in document.text.matches(of: /`make ([a-z-]+)/) {
            #expect(targets.contains(String(match.1)), "\(path): unknown make target \(match.1)")
        }
    }

    @Test(arguments: Document.paths) func `each link leads to an existing file and heading`(path: String) throws {
        let document = try Document(path)
        for match in document.text.matches(of: /\]\(([^)\s]+)\)/) where !match.1.hasPrefix("http") {
            let parts = match.1.split(separator: "#", omittingEmptySubsequences: false)
            let file = parts[0].isEmpty ? document.path.split(separator: "/").last ?? "" : parts[0]
            let target = document.directory.appending(path: file)
            #expect(FileManager.default.fileExists(atPath: target.path), "\(path): broken link \(match.1)")
            guard parts.count == 2 else { continue }
            let top = SourceTree.top.standardizedFileURL.path
            let name = String(target.standardizedFileURL.path.dropFirst(top.count).drop { $0 == "/" })
            #expect(try Document(name).anchors.contains(String(parts[1])), "\(path): unknown anchor \(match.1)")
        }
    }

    @Test(arguments: Document.paths) func `each file and each test suite in the text exists`(path: String) throws {
        let document = try Document(path)
        for match in document.text.matches(of: /`((?:Tests|Sources|docs|etc|systemd|debian|man)\/[\w.\/-]*\w)/) {
            let exists = FileManager.default.fileExists(atPath: SourceTree.top.appending(path: match.1).path)
            #expect(exists, "\(path): \(match.1) does not exist")
        }
        let folders = try SourceTree.folders(in: "Tests")
        let files = try SourceTree.files(in: "Tests").compactMap { $0.path.split(separator: "/").last?.dropLast(6) }
        let suites = Set(folders + files.map(String.init))
        for match in document.text.matches(of: /\b[A-Z]\w+Tests\b/) {
            #expect(suites.contains(String(match.0)), "\(path): unknown test suite \(match.0)")
        }
    }

    /// A second connection that writes can trigger SQLite's WAL-reset bug (docs/security.md).
    @Test func `each sqlite3 command on the database is read-only`() throws {
        let manuals = [
            "ipctl.1", "iprecordd.toml.5", "iprecord.watch.5", "iprecord-hook.8", "iprecord-web.8", "iprecordd.8",
        ].map { "man/\($0)" }
        var count = 0
        for path in Document.paths + manuals + ["scripts/try", "Tests/Package/documents.test"] {
            for (index, line) in try Self.lines(of: path).enumerated() {
                for match in line.matches(of: /sqlite3 (.*?)records\.db/) {
                    count += 1
                    #expect(match.1.hasPrefix("-readonly "), "\(path):\(index + 1): sqlite3 without -readonly")
                }
            }
        }
        #expect(count >= 4)
    }

    @Test func `the table of modules is complete`() throws {
        let rows = try Document("docs/architecture.md").lines.filter { $0.hasPrefix("| `") }
        let modules = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) }
        }
        #expect(modules.sorted() == (try SourceTree.folders(in: "Sources")))
    }

    private static func lines(of path: String) throws -> [String] {
        try String(contentsOf: SourceTree.top.appending(path: path), encoding: .utf8).components(separatedBy: "\n")
    }

    private static func makeTargets() throws -> Set<String> {
        Set(try lines(of: "Makefile").compactMap { $0.prefixMatch(of: /([a-z-]+):/).map { String($0.1) } })
    }
}
