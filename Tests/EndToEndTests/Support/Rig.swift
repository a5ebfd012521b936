import Foundation
import TestSupport
import Testing

/// The built programs in a temporary directory: the mock provider, the daemon, and the client.
final class Rig {
    private let temporaryFolder: TemporaryFolder
    var folder: String { temporaryFolder.path }
    private(set) var mockProvider: Program?
    private(set) var daemon: Program?
    private let surroundings: Surroundings
    private let mockProviderPrefix: [String]
    /// Whether the directory is its own file system.
    private let isMounted: Bool
    private(set) var provider: String

    /// Starts the mock provider and the daemon.
    ///
    /// - Parameters:
    ///   - options: options of the mock provider.
    ///   - settings: lines of the configuration, by section.
    ///   - bind: the address and port of the mock provider.
    ///   - endpoint: the provider's URL in the configuration; nil for that of the mock provider.
    ///   - isLocal: whether the provider is local, so that the configuration has no URL.
    ///   - surroundings: the environment of the daemon and the client.
    ///   - mockProviderPrefix: a command that runs the mock provider, such as `ip netns exec NAME`.
    ///   - diskSize: the size of a tmpfs(5) for the directory; nil for no separate file system.
    init(
        mockProvider options: [String] = [], settings: [String: String] = [:], bind: String = "127.0.0.1:0",
        endpoint: String? = nil, isLocal: Bool = false, surroundings: Surroundings = Surroundings(),
        mockProviderPrefix: [String] = [],
        diskSize: String? = nil
    ) throws {
        self.surroundings = surroundings
        self.mockProviderPrefix = mockProviderPrefix
        let folder = try TemporaryFolder()
        temporaryFolder = folder
        isMounted = diskSize != nil
        if let diskSize {
            let options = "size=\(diskSize),mode=0755"
            let mounted = try Program.run(["/usr/bin/mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.path])
            try #require(mounted.status == 0, "\(mounted)")
        }
        let program = try Program(mockProviderPrefix + [Self.program("ip-api-stand-in"), "--bind", bind] + options)
        mockProvider = program
        let line = try program.waitForLine(containing: "listening on ")
        provider = String(line.dropFirst("listening on ".count))
        try configure(settings, endpoint: isLocal ? nil : endpoint ?? provider)
        try Sandbox.open(folder.path)
        try startDaemon()
    }

    deinit {
        // Errors do not matter: the test is over.
        if let daemon { _ = try? daemon.stop(with: SIGKILL) }
        if let mockProvider { _ = try? mockProvider.stop(with: SIGKILL) }
        if isMounted { _ = try? Program.run(["/usr/bin/umount", "--lazy", folder]) }
    }

    /// Options of the mock provider without quotas.
    static let unlimited = ["--single-quota", "none", "--batch-quota", "none"]

    var socket: String { folder + "/control.sock" }
    var database: String { folder + "/records.db" }

    /// Writes the configuration file; a running daemon does not read it again.
    ///
    /// - Parameter endpoint: the provider's URL; nil for none.
    func configure(_ settings: [String: String], endpoint: String?) throws {
        let sections = [
            "provider": endpoint.map { "endpoint = \"\($0)\"" } ?? "", "control": "socket = \"\(socket)\"",
            "store": "path = \"\(database)\"", "watch": "directory = \"\(folder)/watch.d\"", "log": "level = \"debug\"",
        ].merging(settings) { $0 + "\n" + $1 }
        let text = sections.sorted { $0.key < $1.key }.map { "[\($0.key)]\n\($0.value)\n" }.joined()
        try text.write(toFile: folder + "/iprecordd.toml", atomically: true, encoding: .utf8)
    }

    /// Replaces /etc/hosts of the running daemon, which must have its own.
    func changeHosts(_ line: String) throws {
        let hosts = Surroundings.hostsFile
        let pid = try #require(daemon).pid
        let path =
            Sandbox.isOn ? Surroundings.file(standingFor: hosts, folder: folder) : "/proc/\(pid)/root\(hosts)"
        // Written in place, because the file is a mount point.
        try Data(Surroundings.hostsText(line).utf8).write(to: URL(fileURLWithPath: path))
    }

    /// Starts the daemon and waits until it listens.
    func startDaemon() throws {
        let unit = "iprecordd-\(UUID().uuidString.prefix(8))"
        let command = [Self.program("iprecordd"), "--config", folder + "/iprecordd.toml"]
        let program = try Program(Sandbox.command(command, unit: unit, folder: folder, surroundings))
        daemon = program
        try program.waitForLine(containing: "listening on")
        if let process = try Sandbox.process(of: unit) { program.stands(for: process) }
    }

    // MARK: Asking

    struct Answer {
        let status: Int32
        let output: String
        let errors: String

        /// The output as one JSON object.
        var json: [String: Any] {
            get throws {
                let value = try JSONSerialization.jsonObject(with: Data(output.utf8))
                return try #require(value as? [String: Any])
            }
        }
    }

    @discardableResult
    func ipctl(_ arguments: String..., input: String? = nil) throws -> Answer {
        try ipctl(arguments, input: input)
    }

    @discardableResult
    func ipctl(_ arguments: [String], input: String? = nil) throws -> Answer {
        let command = surroundings.prefix + [Self.program("ipctl"), "--socket", socket] + arguments
        let (status, output, errors) = try Program.run(command, input: input)
        return Answer(status: status, output: output, errors: errors)
    }

    /// Returns an entry as `ipctl --json show` prints it.
    func entry(_ address: String, wait: Double = 0) throws -> [String: Any] {
        let reply = try ipctl("--json", "show", address, "--wait", "\(wait)").json
        return try #require((reply["entries"] as? [[String: Any]])?.first)
    }

    func status() throws -> [String: Any] {
        try ipctl("--json", "status").json
    }

    /// Returns the number of watched addresses.
    func watched() throws -> Int? {
        (try status()["entries"] as? [String: Any])?["watched"] as? Int
    }

    /// Starts `ipctl --json monitor` for some kinds of events, and waits until it is connected.
    ///
    /// Events that are not kept are sent only to connected listeners. To detect the connection, it first adds an
    /// address that needs no call, and waits for its event, which is kept.
    func monitor(_ kinds: String...) throws -> Program {
        try ipctl("add", Self.marker)
        let command =
            surroundings.prefix + [Self.program("ipctl"), "--socket", socket, "--json", "monitor", "--after", "0"]
        let program = try Program(command + ["--kind", "added"] + kinds.flatMap { ["--kind", $0] })
        try program.waitForLine(containing: Self.marker)
        return program
    }

    private static let marker = "10.255.255.254"

    // MARK: The provider's side

    struct ProviderCall: Decodable {
        let number: Int
        /// Nanoseconds of CLOCK_BOOTTIME.
        let boot: Int64
        let endpoint: String
        let addresses: [String]
        let status: Int?
        let remaining: Int?

        var second: Double { Double(boot) / 1e9 }
    }

    /// Returns all calls that the mock provider has received, in order.
    func calls() throws -> [ProviderCall] {
        try JSONDecoder().decode([ProviderCall].self, from: Data(try administer("GET", "calls").utf8))
    }

    /// Sends a request to the administrative interface of the mock provider.
    @discardableResult
    func administer(_ method: String, _ path: String) throws -> String {
        let command = ["/usr/bin/curl", "-sS", "-f", "-X", method, "\(provider)/_admin/\(path)"]
        let (status, output, errors) = try Program.run(mockProviderPrefix + command)
        #expect(status == 0, "\(path): \(errors)")
        return output
    }

    // MARK: Programs

    /// The directory of the built programs: $IPRECORD_PROGRAMS, or else that of the tests.
    static var programs: String {
        if let folder = ProcessInfo.processInfo.environment["IPRECORD_PROGRAMS"] { return folder }
        let tests = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return tests.deletingLastPathComponent().path
    }

    static func program(_ name: String) -> String { "\(programs)/\(name)" }
}

extension [String] {
    /// Returns the number of events of a kind.
    func count(of kind: String) -> Int {
        count { $0.contains("\"kind\":\"\(kind)\"") }
    }
}
