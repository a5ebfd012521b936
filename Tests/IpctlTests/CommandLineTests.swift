import Testing

/// The built program, where there is no daemon.
@Suite struct CommandLineTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(
        arguments: [
            ["dance"], ["add"], ["show"], ["remove"], ["add", "--tag"], ["show", "192.0.2.1", "--wait", "soon"],
            ["show", "192.0.2.1", "--wait", "-1"], ["show", "192.0.2.1", "--wait", "nan"],
            ["show", "192.0.2.1", "--field", "colour"], ["monitor", "--kind", "earthquake"],
            ["monitor", "--after", "x"],
            ["status", "192.0.2.1"], ["--colour", "status"], ["status", "--socket"],
        ])
    func `what makes no sense is a usage error, told on standard error`(arguments: [String]) throws {
        let ended = try BuiltIpctl.run(arguments)
        #expect(ended.status == 64)
        #expect(ended.output == "")
        #expect(ended.errors.hasPrefix("ipctl: "), "\(ended.errors)")
        #expect(ended.errors.contains("Usage: ipctl"))
    }

    @Test func `a field or a kind that is not there is told with those that are`() throws {
        #expect(try BuiltIpctl.run(["show", "1.1.1.1", "--field", "colour"]).errors.contains("countryCode"))
        #expect(try BuiltIpctl.run(["monitor", "--kind", "earthquake"]).errors.contains("networkLost"))
    }

    @Test(arguments: [["--help"], ["help"], ["add", "--help"], ["--version"], []]) func `help is no error`(
        arguments: [String]
    ) throws {
        let ended = try BuiltIpctl.run(arguments)
        #expect(ended.status == 0)
        #expect(!ended.output.isEmpty)
        #expect(ended.errors == "")
    }

    @Test func `every command teaches with examples, each a line that fits`() throws {
        let overview = try BuiltIpctl.run(["--help"]).output.split(separator: "\n")
        let commands = overview.drop { $0 != "SUBCOMMANDS:" }.compactMap { line in
            line.firstMatch(of: #/^  ([a-z]+)  /#).map { String($0.1) }
        }
        #expect(commands.count >= 19)
        for command in commands {
            let help = try BuiltIpctl.run(["help", command], environment: ["COLUMNS": "80"]).output
            let examples = help.split(separator: "\n", omittingEmptySubsequences: false)
                .drop { !$0.hasPrefix("Example") }.dropFirst().prefix { !$0.isEmpty }
            #expect(!examples.isEmpty, "\(command)")
            for line in examples { #expect(line.hasPrefix("  "), "\(command): \(line)") }
        }
    }

    @Test func `where no daemon is, the socket that was tried is told, and how to start one`() throws {
        let path = folder.file("no.sock")
        let ended = try BuiltIpctl.run(["--socket", path, "status"])
        #expect(ended.status == 69)
        #expect(ended.output == "")
        #expect(ended.errorLines.first == "ipctl: no daemon answers at \(path): No such file or directory")
        #expect(ended.errorLines.last?.contains("systemctl start iprecordd") == true)
    }

    @Test func `a path that is too long is told as that`() throws {
        let ended = try BuiltIpctl.run(["--socket", "/" + String(repeating: "a", count: 107), "status"])
        #expect(ended.status == 64)
        #expect(ended.errorLines.first == "ipctl: the path of a socket has at most 107 bytes")
    }

    /// Which socket was tried.
    private func tried(_ arguments: [String], _ environment: [String: String] = [:]) throws -> String? {
        let ended = try BuiltIpctl.run(arguments, environment: environment)
        #expect(ended.status == 69)
        return ended.errors.firstMatch(of: /no daemon answers at ([^:]*):/).map { String($0.1) }
    }

    @Test(
        arguments: [
            ["--socket", "/a.sock", "status"], ["status", "--socket", "/a.sock"], ["status", "--socket=/a.sock"],
            ["--json", "--socket", "/a.sock", "status"], ["status", "--json", "--socket", "/a.sock"],
            ["--socket", "/a.sock", "status", "--json"], ["--socket", "/b.sock", "status", "--socket", "/a.sock"],
        ])
    func `the option counts, before the command or after it, whatever the variables say`(arguments: [String]) throws {
        #expect(try tried(arguments, ["IPRECORD_SOCKET": "/c.sock", "XDG_RUNTIME_DIR": folder.path]) == "/a.sock")
    }

    @Test func `without an option the variable counts, then a user's own socket, then the system's`() throws {
        let system = "/run/iprecord/control.sock"
        let runtime = ["XDG_RUNTIME_DIR": folder.path]
        #expect(try tried(["status"], runtime) == system)
        let user = try folder.makeUserSocket()
        #expect(try tried(["status"], runtime) == user)
        #expect(try tried(["status"], runtime.merging(["IPRECORD_SOCKET": ""]) { $1 }) == user)
        #expect(try tried(["status"], runtime.merging(["IPRECORD_SOCKET": "/v.sock"]) { $1 }) == "/v.sock")
        #expect(try tried(["status"], ["XDG_RUNTIME_DIR": ""]) == system)
        #expect(try tried(["status"]) == system)
    }
}
