import Foundation
import TestSupport
import Testing

/// `ipctl top` in a terminal, with a daemon.
@Suite struct LiveTopTests {
    @Test func `filtered rows are marked, tagged, pinned and shown with their history`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        try rig.ipctl("add", "192.0.2.1", "192.0.2.2", "192.0.2.3", "--tag", "dns")
        try rig.ipctl("add", "198.51.100.1", "--tag", "other")
        let session = try #require(
            TerminalSession(
                command: [Rig.program("ipctl"), "--socket", rig.socket, "top", "--tag", "dns"],
                environment: ["TERM": "xterm", "NO_COLOR": "1"]))
        try session.start()
        try session.awaitText("tag dns")
        try session.awaitText("192.0.2.3")
        session.type("  ")
        try session.awaitText("2 marked")
        session.type("tprod -dns\r")
        try session.awaitText("2 addresses tagged")
        // The other entry is left, and selected. Control-L draws rows again that have not changed.
        session.type("\u{C}")
        try session.awaitText(">  192.0.2.3")
        session.type("up")
        try session.awaitText("1 address pinned")
        session.type("\u{1B}[<64;1;1M\r")
        try session.awaitText("no changes recorded")
        session.type("\u{C}")
        try session.awaitText("yes, pinned")
        session.type("\u{1B}")
        try session.awaitText("1–1 of 1")
        session.type("q")
        #expect(try session.awaitEnd() == .init(status: 0, signal: nil, errors: ""))
        let tagged = try rig.ipctl("list", "--tag", "prod", "--columns", "address", "--format", "csv", "--no-headers")
        #expect(tagged.output.split(whereSeparator: \.isNewline) == ["192.0.2.1", "192.0.2.2"])
        let pinned = try rig.ipctl("list", "--pinned", "--columns", "address", "--format", "csv", "--no-headers")
        #expect(pinned.output.split(whereSeparator: \.isNewline) == ["192.0.2.3"])
    }
}
