import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl refresh`
struct Refresh: Command, TakesAddresses {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Try again now what is stale or failed.",
        discussion: """
            Without addresses, all of the watch list. Nothing waits for its next attempt then, but the provider's quota \
            still holds. A fresh record stays as it is: nobody can make the daemon ask twice within the interval. The \
            command does not wait for the answers; ipctl wait fresh does.

            Exit status: 75 where there is no way to the provider; what is stale or failed is tried once it is back.

            Examples:
              ipctl refresh
              ipctl refresh 192.0.2.1 && ipctl wait fresh 192.0.2.1 --timeout 30s
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "IPv4 or IPv6 addresses of the watch list; without any, all of it.", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(help: AddressArguments.fileHelp, completion: .file())
    var file: [String] = []

    static let optionsTakenAgain: Set<String> = ["--file"]

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        // A file without addresses is an error: it never means all of the list.
        let isAll = addresses.isEmpty && file.isEmpty
        let asked: [[String]?] =
            isAll
            ? [nil]
            : try AddressList(arguments: addresses, files: file).eachOnce.parts(of: Limits.addressesPerRequest)
        var (scheduled, fresh) = (0, 0)
        for part in asked {
            let reply = try connection.call("Refresh", Control.Refresh.Parameters(addresses: part))
            let counts = try reply.decoded(Control.Refresh.Reply.self)
            scheduled += counts.scheduled
            fresh += counts.fresh
            if output.isJSON { output.print(reply.parameters) }
        }
        // What is put in line goes out only where there is a way, a quota and a provider that answers.
        let status = try connection.call("Status", Control.Status.Parameters()).decoded(Control.Status.Reply.self)
        let counts = Control.Refresh.Reply(scheduled: scheduled, fresh: fresh)
        let outcome = RefreshOutcome(counts, status, now: Times.now)
        if !output.isJSON { output.print(outcome.sentence.printable) }
        return outcome.isWithoutWay ? .tryLater : .done
    }
}
