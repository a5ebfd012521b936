import Foundation
import TestSupport
import Testing

/// Runs each example in the help of each command.
@Suite(.serialized) struct HelpExamplesTests {
    private struct Example: Decodable {
        let name: String
        let command: String
    }

    /// Statuses that do not mean a mistake in the command: done, nothing found, not yet, and ended by timeout(1).
    private static let expectedStatuses: Set<Int32> = [0, 1, 75, 124]

    /// The commands of the examples that the test machine may not have, or that would leave it.
    private static let standIns = [
        "dig": "echo 192.0.2.7",
        "sudo": #"exec "$@""#,
        "ssh": #"shift; exec "$@""#,
        "tee": "cat",
    ]

    @Test func `each example in the help runs`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        let examples = try rig.ipctl("--json", "examples").output.split(separator: "\n").map {
            try JSONDecoder().decode(Example.self, from: Data($0.utf8))
        }
        #expect(examples.count > 60)
        let environment = try Self.environment(in: rig.folder, socket: rig.socket)
        for example in examples {
            // An example before may have removed the addresses.
            let addresses = ["1.1.1.1", "8.8.8.8", "9.9.9.9", "192.0.2.1", "192.0.2.2", "2606:4700:4700::1111"]
            try rig.ipctl(["add"] + addresses)
            let command = example.command.replacing("/var/lib/prometheus/node-exporter", with: rig.folder)
            let isEndless = ["monitor", "top", "wait"].contains(example.name)
            let line = "cd \(rig.folder) && exec timeout \(isEndless ? 2 : 20) sh -c \"$0\""
            // Only top needs a terminal.
            let terminal = "exec script --quiet --return --command \"exec timeout --foreground 2 sh -c '$0'\" /dev/null"
            let ended = try Program.run(
                ["/bin/sh", "-c", example.name == "top" ? terminal : line, command], environment: environment)
            #expect(Self.expectedStatuses.contains(ended.status), "\(example.command): \(ended)")
            #expect(!ended.errors.contains("not found"), "\(example.command): \(ended.errors)")
        }
    }

    /// Creates the files and commands of the examples, and returns the environment.
    private static func environment(in folder: String, socket: String) throws -> [String: String] {
        let programs = folder + "/bin"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: false)
        for (name, script) in standIns {
            try "#!/bin/sh\n\(script)\n".write(toFile: "\(programs)/\(name)", atomically: true, encoding: .utf8)
            chmod("\(programs)/\(name)", 0o755)
        }
        let files = [
            "servers.txt": "192.0.2.1\n", "hosts": "1.1.1.1\n", "watch-list.jsonl": #"{"address":"192.0.2.1"}"# + "\n",
            "servers.csv": "address,tags,note,pinned\n192.0.2.1,prod,,false\n",
        ]
        for (name, text) in files {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }
        let ipctl = (Rig.program("ipctl") as NSString).deletingLastPathComponent
        return [
            "IPRECORD_SOCKET": socket, "HOME": folder, "TERM": "xterm",
            "PATH": "\(programs):\(ipctl):/usr/local/bin:/usr/bin:/bin",
        ]
    }
}
