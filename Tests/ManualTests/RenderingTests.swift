import Foundation
import TestSupport
import Testing

/// The manual pages in the programs that format them.
struct RenderingTests {
    private static let (man, mandoc) = ("/usr/bin/man", "/usr/bin/mandoc")

    @Test func `there is a page for each program and each file format`() {
        let expected = [
            "ipctl.1", "iprecord-hook.8", "iprecord-web.8", "iprecord.watch.5", "iprecordd.8", "iprecordd.toml.5",
        ]
        #expect(Page.names == expected)
    }

    @Test(.enabled(if: Tool.isInstalled(man)), arguments: Page.names)
    func `a page is formatted without warnings`(name: String) throws {
        let page = try Page(name)
        let ended = try Tool.run([Self.man, "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", page.path])
        #expect(ended.status == 0)
        #expect(ended.errors == "")
        #expect(!ended.output.isEmpty)
    }

    @Test(.enabled(if: Tool.isInstalled(mandoc)), arguments: Page.names)
    func `a page has no warnings from mandoc`(name: String) throws {
        let ended = try Tool.run([Self.mandoc, "-Tlint", "-Wwarning", try Page(name).path])
        #expect(ended == .init(status: 0, output: "", errors: ""))
    }

    @Test(arguments: Page.names) func `a page has its file's title and lines of at most 80 columns`(name: String) throws
    {
        let page = try Page(name)
        let parts = name.split(separator: ".")
        let title = parts.dropLast().joined(separator: ".").uppercased()
        #expect(page.lines.contains { $0 == ".Dt \(title) \(parts.last ?? "")" })
        for line in page.lines where !line.hasPrefix(".") { #expect(line.count <= 80, "\(line)") }
    }
}
