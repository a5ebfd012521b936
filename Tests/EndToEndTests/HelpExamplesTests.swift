import Foundation
import TestSupport
import Testing

/// Runs each example in the help of the program and of each command.
@Suite(.serialized) struct HelpExamplesTests {
    private struct Example: Decodable {
        let name: String
        let command: String
    }

    /// Replacements for commands that may be missing, or that would reach beyond the test folder.
    private static let standIns = [
        "dig": "echo 192.0.2.7",
        "sudo": #"exec "$@""#,
        "ssh": #"shift; exec "$@""#,
        "tee": "cat",
    ]

    /// The statuses of a correct example: success, nothing found, try again later, and ended by timeout(1).
    private static func expectedStatuses(_ name: String) -> Set<Int32> {
        switch name {
        // The watch list has no changes, no outages, no host names, and no entries that match some filters.
        case "list", "map", "count", "history", "outages", "names", "remove", "tag", "enrich": [0, 1]
        // Reserved addresses have no records; those that were just added have none yet.
        case "show", "add", "refresh", "wait": [0, 1, 75, 124]
        // A monitor of a period ends by itself, and there may be no events.
        case "monitor": [0, 1, 124]
        case "top": [124]
        // Some checks fail without systemd.
        case "doctor": [0, 1]
        default: [0]
        }
    }

    @Test func `each example in the help runs`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        let examples = try rig.ipctl("--json", "examples").output.split(separator: "\n").map {
            try JSONDecoder().decode(Example.self, from: Data($0.utf8))
        }
        #expect(examples.count > 60)
        let overview = try Self.overviewExamples(in: rig.ipctl("--help").output)
        #expect(overview.count > 4)
        let environment = try Self.environment(in: rig.folder, socket: rig.socket)
        for example in overview + examples {
            // An earlier example may have removed the addresses.
            let addresses = ["1.1.1.1", "8.8.8.8", "9.9.9.9", "192.0.2.1", "192.0.2.2", "2606:4700:4700::1111"]
            try rig.ipctl(["add"] + addresses)
            let command = example.command.replacing("/var/lib/prometheus/node-exporter", with: rig.folder)
            let isEndless = ["monitor", "top", "wait"].contains(example.name)
            let line = "cd \(rig.folder) && exec timeout \(isEndless ? 2 : 20) bash -o pipefail -c \"$0\""
            // Only top needs a terminal.
            let terminal = "exec script --quiet --return --command \"exec timeout --foreground 2 sh -c '$0'\" /dev/null"
            let ended = try Program.run(
                ["/bin/sh", "-c", example.name == "top" ? terminal : line, command], environment: environment)
            #expect(
                Self.expectedStatuses(example.name).contains(ended.status) && !ended.errors.contains("Usage:"),
                "\(example.command): \(ended)")
        }
    }

    /// Returns the examples in the help of the program, which `ipctl examples` does not show: the lines below the
    /// heading, some with an explanation after at least three spaces.
    private static func overviewExamples(in help: String) throws -> [Example] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false)
        return try lines.drop { $0 != "Examples:" }.dropFirst().prefix { !$0.isEmpty }.map { line in
            let text = line.drop { $0 == " " }
            let command = text.firstRange(of: "   ").map { text[..<$0.lowerBound] } ?? text
            // A line that was wrapped would not begin with the program's name.
            let words = command.split(separator: " ")
            try #require(words.count > 1 && words[0] == "ipctl", "\(line)")
            return Example(name: String(words[1]), command: String(command))
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
            "access.log": "1.1.1.1 GET /\nsshd: 8.8.8.8\n", "events.jsonl": #"{"src":"1.1.1.1"}"# + "\n",
            "requests.csv": "client,path\n1.1.1.1,/\n", "app.log": "src=1.1.1.1 path=/\n",
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
