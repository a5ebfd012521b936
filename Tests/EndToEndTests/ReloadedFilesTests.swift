import Foundation
import Testing

/// `ipctl reload` and its preview, with watch-list files.
@Suite struct ReloadedFilesTests {
    /// Replaces the only watch-list file of a rig.
    private static func write(_ text: String, in rig: Rig) throws {
        let folder = rig.folder + "/watch.d"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try text.write(toFile: folder + "/a.list", atomically: true, encoding: .utf8)
    }

    @Test func `a preview of a reload changes nothing, and the reload makes these changes`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        // The daemon reads the files for the first time while it already accepts clients.
        try rig.ipctl("reload")
        try Self.write("192.0.2.1\n192.0.2.2\n", in: rig)
        #expect(try rig.ipctl("reload").output == "reloaded; 2 addresses added, 0 removed\n")
        try Self.write("192.0.2.2 dns # resolver\n192.0.2.3\n192.0.2.3 prod\n", in: rig)
        let before = try rig.ipctl("--json", "list").output
        let seq = try rig.status()["store"] as? [String: Any]
        let preview = try rig.ipctl("reload", "--dry-run")
        let lines = """
            + 192.0.2.3
            ~ 192.0.2.2  tags: (none) → dns; note: (none) → resolver
            - 192.0.2.1\n
            """
        #expect(preview.status == 0 && preview.output == lines, "\(preview)")
        #expect(preview.errors == "ipctl: 1 address would be added, 1 changed, 1 removed\n")
        #expect(try rig.ipctl("--json", "list").output == before)
        #expect(try (rig.status()["store"] as? [String: Any])?["lastSeq"] as? Int == seq?["lastSeq"] as? Int)
        #expect(try rig.ipctl("reload").output == "reloaded; 1 address added, 1 changed, 1 removed\n")
        let again = try rig.ipctl("reload", "--dry-run")
        #expect(again.output == "" && again.errors == "ipctl: the watch list would not change\n")
    }

    @Test func `a preview shows changes and invalid lines, and reports a reload that would be refused`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        try Self.write("192.0.2.1\n", in: rig)
        try rig.ipctl("reload")
        try Self.write("192.0.2.1\n8.8.8\n192.0.2.2\n", in: rig)
        let invalid = try rig.ipctl("reload", "--dry-run")
        #expect(invalid.status == 65 && invalid.output == "+ 192.0.2.2\n", "\(invalid)")
        let messages = invalid.errors.split(separator: "\n")
        #expect(messages.count == 2 && messages[0] == "ipctl: 1 address would be added, 0 removed", "\(invalid)")
        #expect(messages[1].contains("a.list") && messages[1].contains("8.8.8"), "\(invalid)")
        let document = try rig.ipctl("--json", "reload", "--dry-run")
        #expect(document.status == 65 && document.output.contains(#""problems":[""#), "\(document)")
        let reloaded = try rig.ipctl("reload")
        #expect(reloaded.status == 65 && reloaded.errors.contains("1 added, 0 removed"), "\(reloaded)")
        try Self.write("192.0.2.1\n", in: rig)
        try rig.ipctl("reload")
        try Self.write("", in: rig)
        let refused = try rig.ipctl("reload", "--dry-run")
        #expect(refused.status == 65 && refused.errors.contains("no address found"), "\(refused)")
        let forced = try rig.ipctl("reload", "--dry-run", "--force")
        #expect(forced.status == 0 && forced.output == "- 192.0.2.1\n", "\(forced)")
        #expect(try rig.watched() == 1)
    }
}
