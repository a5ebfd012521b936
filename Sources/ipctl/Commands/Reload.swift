import ArgumentParser
import Control
import Varlink

/// `ipctl reload`
struct Reload: Command {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Have the daemon read its configuration and the watch-list files again.",
        discussion: """
            As SIGHUP does. Lines that are new put addresses on the watch list; addresses whose lines have gone leave it, \
            unless a client added them too. Where something cannot be read, what was there before stays.

            Example:
              echo '192.0.2.1 prod # gateway' | sudo tee /etc/iprecord/watch.d/a.list
              sudo ipctl reload
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let reply = try connection.call("Reload", Control.Reload.Parameters())
        let counts = try reply.decoded(Control.Reload.Reply.self)
        if output.isJSON {
            output.print(reply.parameters)
        } else {
            output.print(Self.sentence(added: counts.added, removed: counts.removed))
        }
        return .done
    }

    private static func sentence(added: Int, removed: Int) -> String {
        guard added > 0 || removed > 0 else { return "read again; the watch list is as it was" }
        let word = added == 1 ? "1 address" : "\(Times.grouped(added)) addresses"
        return "read again; \(word) added, \(Times.grouped(removed)) removed"
    }
}
