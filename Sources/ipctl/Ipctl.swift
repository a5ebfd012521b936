import ArgumentParser

/// The command-line client of the daemon.
@main
struct Ipctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ipctl",
        abstract: "Watch IP addresses: location, network, and changes.",
        discussion: """
            ipctl is the client of the daemon iprecordd. All users can read; only root and members of the \
            administrators' group can change the watch list.

            Examples:
              ipctl add 1.1.1.1 2606:4700:4700::1111 --tag dns
              ipctl show 1.1.1.1                  the record of an address
              ipctl show 8.8.8.8 --field isp      one field, for a script
              ipctl list --search cloudflare      matching entries of the watch list
              ipctl count --by country            how many addresses are where
              ipctl monitor --kind changed        changes as they happen

            Exit status: 0 success; 1 no record, no match, or not on the watch list; 64 usage error; 65 invalid \
            address or file; 68 a host name has no address; 69 daemon not running; 70 internal error; 75 temporary \
            failure, try again later; 77 permission denied; 130 interrupted.
            """,
        version: version,
        subcommands: [
            Add.self, Remove.self, Show.self, List.self, Names.self, Count.self, Map.self, Status.self, Top.self,
            Refresh.self,
            Pin.self,
            Unpin.self, Tag.self, Untag.self, Note.self, History.self, Outages.self, Metrics.self, Monitor.self,
            Wait.self, Enrich.self,
            Export.self, Import.self, Reload.self, Doctor.self, Examples.self,
        ])

    @OptionGroup var options: GlobalOptions

    static let version = "0.1.0"

    /// The prefix of the parser's error messages.
    static let _errorPrefix = "ipctl: "

    static func main() {
        Invocation(arguments: Array(CommandLine.arguments.dropFirst())).run()
    }
}

/// Options that all commands have, accepted before or after the command's name.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's socket.",
            discussion: """
                Default: $IPRECORD_SOCKET, else $XDG_RUNTIME_DIR/iprecord/control.sock if it exists, else \
                /run/iprecord/control.sock.
                """, valueName: "path"), completion: .file())
    var socket: String?

    @Flag(help: "Print the daemon's replies as JSON, one document per line.")
    var json = false

    @Flag(help: "Print times in UTC instead of the local time zone.")
    var utc = false

    @Flag(help: "Print long lists without a pager.")
    var noPager = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Wait for the daemon at most this long (default: 10s without data, plus --wait).",
            discussion:
                "When it expires, the command ends with status 75. By default, monitor, wait and top have no limit.",
            valueName: "duration"),
        transform: { try TimeSpan(option: $0) })
    var timeout: TimeSpan?

    func validate() throws {
        guard let socket else { return }
        guard !socket.isEmpty else { throw ValidationError("--socket requires the path of a socket") }
        guard socket.utf8.count <= SocketPath.maxBytes else { throw ValidationError(SocketPath.rule) }
    }
}
