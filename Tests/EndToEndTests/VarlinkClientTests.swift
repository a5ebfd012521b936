import Foundation
import Testing

/// An independent client, the Varlink package of PyPI, works with the daemon.
@Suite(.serialized) struct VarlinkClientTests {
    private static let packages = FileManager.default.currentDirectoryPath + "/.build/python"

    private func python(_ rig: Rig, _ arguments: String...) throws -> (status: Int32, output: String, errors: String) {
        try python(rig, arguments)
    }

    private func python(_ rig: Rig, _ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        try Program.run(
            ["/usr/bin/env", "python3", "-m", "varlink.cli"] + arguments, environment: ["PYTHONPATH": Self.packages])
    }

    @Test func `info, help and calls work`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        let address = "unix:\(rig.socket)"
        let info = try python(rig, "info", address)
        #expect(info.status == 0 && info.output.contains("io.iprecord.Control"), "\(info)")
        let help = try python(rig, "help", "\(address)/io.iprecord.Control")
        #expect(help.status == 0 && help.output.contains("method Show"), "\(help)")
        let status = try python(rig, "call", "\(address)/io.iprecord.Control.Status", "{}")
        #expect(status.status == 0 && status.output.contains("\"watched\": 0"), "\(status)")
        let add = try python(
            rig, "call", "\(address)/io.iprecord.Control.Add", #"{"addresses": ["1.1.1.1"], "tags": ["dns"]}"#)
        #expect(add.status == 0 && add.output.contains("\"added\": 1"), "\(add)")
        let show = try python(rig, "call", "\(address)/io.iprecord.Control.Show", #"{"addresses": ["1.1.1.1"]}"#)
        #expect(show.status == 0 && show.output.contains("\"state\": \"fresh\""), "\(show)")
        let wrong = try python(rig, "call", "\(address)/io.iprecord.Control.Show", #"{"addresses": ["1.1.1"]}"#)
        #expect((wrong.output + wrong.errors).contains("InvalidAddress"))
    }

    @Test func `the other methods work`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        try rig.ipctl("add", "1.1.1.1", "8.8.8.8", "9.9.9.9", "--wait")
        func call(_ method: String, _ parameters: String, more: Bool = false) throws -> String {
            let name = "unix:\(rig.socket)/io.iprecord.Control.\(method)"
            let reply = try python(rig, ["call"] + (more ? ["-m"] : []) + [name, parameters])
            #expect(reply.status == 0, "\(method): \(reply)")
            return reply.output
        }
        let label = try call("Label", #"{"addresses": ["9.9.9.9"], "pinned": true, "addTags": ["dns"], "note": "n"}"#)
        #expect(label.contains("\"changed\": 1"), "\(label)")
        let list = try call("List", #"{"limit": 1}"#)
        #expect(list.contains("\"address\": \"9.9.9.9\"") && list.contains("\"total\": 3"), "\(list)")
        let pages = try call("List", #"{"limit": 1}"#, more: true)
        #expect(pages.components(separatedBy: "\"total\"").count == 4, "\(pages)")
        #expect(try call("Refresh", "{}").contains("\"fresh\": 3"))
        let history = try call("History", #"{"address": "1.1.1.1"}"#)
        #expect(history.contains("\"changes\": []"), "\(history)")
        #expect(try call("Outages", "{}").contains("\"outages\": []"))
        #expect(try call("Reload", "{}").contains("\"added\": 0"))
        #expect(try call("Remove", #"{"addresses": ["8.8.8.8"]}"#).contains("\"removed\": 1"))
    }

    @Test func `Monitor sends a stream of events`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        let monitor = try Program(
            [
                "/usr/bin/env", "python3", "-u", "-m", "varlink.cli", "call", "-m",
                "unix:\(rig.socket)/io.iprecord.Control.Monitor", #"{"after": 0}"#,
            ], environment: ["PYTHONPATH": Self.packages])
        try rig.ipctl("add", "1.1.1.1")
        try monitor.waitForLine(containing: "\"added\"")
        // The monitor is connected, so it also receives events that are not kept.
        try rig.ipctl("add", "8.8.8.8")
        try monitor.waitForLine(containing: "\"refreshed\"")
        try monitor.stop(with: SIGKILL)
    }
}
