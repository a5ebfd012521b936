import ArgumentParser
import Control
import Varlink

/// The command `ipctl reload`.
struct Reload: Command {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reload the daemon's configuration and the watch-list files.",
        discussion: """
            Equivalent to SIGHUP. Addresses on new lines are added to the watch list. If a line was removed, its \
            address is removed from the watch list, unless a client also added the address. If a file cannot be read, \
            its last contents stay in effect. If the files contain no addresses, and entries would be removed from the \
            watch list, the reload is refused, because the file system of the directory might not be mounted; --force \
            removes these entries.

            Example:
              echo '192.0.2.1 prod # gateway' | sudo tee /etc/iprecord/watch.d/a.list
              sudo ipctl reload
            """)

    @OptionGroup var options: GlobalOptions
    @Flag(help: "Reload even if the files have no addresses, and remove their entries from the watch list.")
    var force = false

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let reply = try connection.call("Reload", Control.Reload.Parameters(force: force ? true : nil))
        let counts = try reply.decoded(Control.Reload.Reply.self)
        output.print(reply.parameters, or: [Self.sentence(added: counts.added, removed: counts.removed)])
        return .done
    }

    private static func sentence(added: Int, removed: Int) -> String {
        guard added > 0 || removed > 0 else { return "reloaded; the watch list is unchanged" }
        return "reloaded; \(Times.count(added, "address")) added, \(Times.grouped(removed)) removed"
    }
}
