import ArgumentParser
import Control
import Varlink

/// `ipctl refresh`
struct Refresh: Command {
    static let configuration = CommandConfiguration(
        abstract: "Try again now what is stale or failed.",
        discussion: """
            Without addresses, all of the watch list. Nothing waits for its next attempt then, but the provider's quota \
            still holds. A fresh record stays as it is: nobody can make the daemon ask twice within the interval. The \
            command does not wait for the answers; ipctl wait fresh does.

            Examples:
              ipctl refresh
              ipctl refresh 192.0.2.1 && ipctl wait fresh 192.0.2.1 --timeout 30s
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "IPv4 or IPv6 addresses of the watch list; without any, all of it.", completion: .watchedAddresses)
    var addresses: [String] = []

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let parameters = Control.Refresh.Parameters(addresses: addresses.isEmpty ? nil : addresses)
        let reply = try connection.call("Refresh", parameters)
        let counts = try reply.decoded(Control.Refresh.Reply.self)
        if output.isJSON {
            output.print(reply.parameters)
        } else {
            output.print(Self.sentence(scheduled: counts.scheduled, fresh: counts.fresh))
        }
        return .done
    }

    private static func sentence(scheduled: Int, fresh: Int) -> String {
        let tried =
            switch scheduled {
            case 0: "nothing to try again"
            case 1: "1 address is tried again now"
            default: "\(Times.grouped(scheduled)) addresses are tried again now"
            }
        return switch fresh {
        case 0: tried
        case 1: "\(tried), 1 is fresh"
        default: "\(tried), \(Times.grouped(fresh)) are fresh"
        }
    }
}
