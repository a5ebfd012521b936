import ArgumentParser

/// `ipctl`: asks the daemon, and shows what it says.
@main
struct Ipctl: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ipctl",
        abstract: "Watch IP addresses: where each is, whose it is, and what changed.",
        discussion: """
            ipctl asks the daemon iprecordd. Reading is open to everybody; changing the watch list is for root and the \
            administrators' group.

            Examples:
              ipctl add 1.1.1.1 2606:4700:4700::1111 --tag dns
              ipctl show 1.1.1.1                  what is known of it
              ipctl show 8.8.8.8 --field isp      one field, for a script
              ipctl list --search cloudflare      what matches of the watch list
              ipctl monitor --kind changed        changes as they happen

            Exit status: 0 done; 1 answered, but not as asked; 64 usage; 65 a bad address or file; 69 no daemon there; \
            70 a mistake of the daemon's or of this program; 75 try later; 77 not permitted; 130 interrupted.
            """,
        version: version,
        subcommands: [
            Add.self, Remove.self, Show.self, List.self, Map.self, Status.self, Top.self, Refresh.self, Pin.self,
            Unpin.self, Tag.self, Untag.self, Note.self, History.self, Outages.self, Monitor.self, Wait.self,
            Export.self, Import.self, Reload.self, Doctor.self,
        ])

    @OptionGroup var options: GlobalOptions

    static let version = "0.1.0"

    /// What the parser puts in front of what it complains of.
    static let _errorPrefix = "ipctl: "

    static func main() {
        Invocation(arguments: Array(CommandLine.arguments.dropFirst())).run()
    }
}

/// What every command takes, before its name or after.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The daemon's socket.",
            discussion: """
                Otherwise $IPRECORD_SOCKET, $XDG_RUNTIME_DIR/iprecord/control.sock if it is there, or \
                /run/iprecord/control.sock.
                """, valueName: "path"), completion: .file())
    var socket: String?

    @Flag(help: "Print the reply as the daemon sent it, one JSON document a line.")
    var json = false

    func validate() throws {
        guard let socket else { return }
        guard !socket.isEmpty else { throw ValidationError("--socket is empty: it takes the path of a socket") }
        guard socket.utf8.count <= SocketPath.longestBytes else { throw ValidationError(SocketPath.rule) }
    }
}
