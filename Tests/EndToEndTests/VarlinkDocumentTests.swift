import Foundation
import Testing

/// The commands in docs/varlink.md that use the Varlink package of PyPI. Tests/Package/documents.test runs the others.
@Suite(.serialized) struct VarlinkDocumentTests {
    @Test func `the commands for Python work`() throws {
        let directory = FileManager.default.currentDirectoryPath
        let document = try String(contentsOfFile: directory + "/docs/varlink.md", encoding: .utf8)
        let commands = document.components(separatedBy: "\n").filter { $0.hasPrefix("python3 -m varlink.cli ") }
        try #require(commands.count == 2)
        let rig = try Rig(mockProvider: Rig.unlimited, settings: ["refresh": "interval = \"1s\""])
        try rig.ipctl("add", "1.1.1.1", "--wait")
        for command in commands {
            let local = command.replacing("/run/iprecord/control.sock", with: rig.socket)
            try #require(local != command)
            let program = try Program(
                ["/bin/sh", "-c", "exec \(local)"],
                environment: ["PYTHONPATH": directory + "/.build/python", "PYTHONUNBUFFERED": "1"])
            // The record of the address, or its next refresh.
            try program.waitForLine(containing: "\"1.1.1.1\"", within: 60)
            if command.contains(" -m unix:") { try program.stop(with: SIGKILL) }
        }
    }
}
