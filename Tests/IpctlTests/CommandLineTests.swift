import TestSupport
import Testing

/// The built program without a daemon.
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
    func `a usage error is printed to standard error`(arguments: [String]) throws {
        let ended = try BuiltIpctl.run(arguments)
        #expect(ended.status == 64)
        #expect(ended.output == "")
        #expect(ended.errors.hasPrefix("ipctl: "), "\(ended.errors)")
        #expect(ended.errors.contains("Usage: ipctl"))
    }

    @Test func `an unknown field or kind is reported with the known ones`() throws {
        #expect(try BuiltIpctl.run(["show", "1.1.1.1", "--field", "colour"]).errors.contains("countryCode"))
        #expect(try BuiltIpctl.run(["monitor", "--kind", "earthquake"]).errors.contains("networkLost"))
    }

    @Test(arguments: [["--help"], ["help"], ["add", "--help"], ["--version"], []]) func `help is not an error`(
        arguments: [String]
    ) throws {
        let ended = try BuiltIpctl.run(arguments)
        #expect(ended.status == 0)
        #expect(!ended.output.isEmpty)
        #expect(ended.errors == "")
    }

    @Test func `the help of every command has examples, each a line that fits`() throws {
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

    @Test(arguments: [
        ("add", "addresses, or host names."), ("remove", "addresses, or host names."),
        ("show", "addresses, or host names."), ("history", "addresses on the watch list, or a host name."),
        ("pin", "IPv4 or IPv6 addresses."), ("tag", "IPv4 or IPv6 addresses."),
    ])
    func `the help says which commands take host names`(command: String, text: String) throws {
        let help = try BuiltIpctl.run(["help", command], environment: ["COLUMNS": "200"]).output
        let argument = try #require(help.split(separator: "\n").first { $0.hasPrefix("  <addresses>") })
        #expect(argument.hasSuffix(text), "\(argument)")
    }

    @Test func `without a daemon, the error has the socket and the start command`() throws {
        let path = folder.file("no.sock")
        let ended = try BuiltIpctl.run(["--socket", path, "status"])
        #expect(ended.status == 69)
        #expect(ended.output == "")
        #expect(ended.errorLines.first == "ipctl: cannot connect to the daemon at \(path): No such file or directory")
        #expect(ended.errorLines.last?.contains("systemctl start iprecordd") == true)
    }

    @Test func `a path that is too long is reported`() throws {
        let ended = try BuiltIpctl.run(["--socket", "/" + String(repeating: "a", count: 107), "status"])
        #expect(ended.status == 64)
        #expect(ended.errorLines.first == "ipctl: a socket path can be at most 107 bytes long")
    }

    /// Returns the socket in the error message.
    private func tried(_ arguments: [String], _ environment: [String: String] = [:]) throws -> String? {
        let ended = try BuiltIpctl.run(arguments, environment: environment)
        #expect(ended.status == 69)
        return ended.errors.firstMatch(of: /cannot connect to the daemon at ([^:]*):/).map { String($0.1) }
    }

    @Test(
        arguments: [
            ["--socket", "/a.sock", "status"], ["status", "--socket", "/a.sock"], ["status", "--socket=/a.sock"],
            ["--json", "--socket", "/a.sock", "status"], ["status", "--json", "--socket", "/a.sock"],
            ["--socket", "/a.sock", "status", "--json"], ["--socket", "/b.sock", "status", "--socket", "/a.sock"],
        ])
    func `--socket before or after the command overrides the variables`(arguments: [String]) throws {
        #expect(try tried(arguments, ["IPRECORD_SOCKET": "/c.sock", "XDG_RUNTIME_DIR": folder.path]) == "/a.sock")
    }

    @Test func `without --socket, the variable is used, then the user's socket, then the system's`() throws {
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
