import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl remove`
struct Remove: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take addresses off the watch list, with their history.",
        discussion: """
            All or none. An address that stands in a watch-list file leaves with its line: take it out there, then \
            ipctl reload. A record that is still fresh is kept for the rest of its life, so that adding the address again \
            makes no second call within the interval.

            Example:
              ipctl remove 1.1.1.1 2606:4700:4700::1111
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @OptionGroup var given: AddressArguments

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let addresses = try given.each()
        var removed = 0
        let calls = ManyCalls(addresses: addresses, addressesPerCall: Limits.addressesPerRequest) { done, last in
            "At least the first \(done) are off the list by now, up to \(last): go on with the others."
        }
        try calls.run(on: connection) { part throws(Complaint) in
            do throws(Complaint) {
                let reply = try connection.call("Remove", Control.Remove.Parameters(addresses: part))
                removed += try reply.decoded(Control.Remove.Reply.self).removed
                if output.isJSON { output.print(reply.parameters) }
            } catch {
                throw error.whereAddingIsNoHelp
            }
        }
        guard !output.isJSON else { return .done }
        output.print(removed == 1 ? "1 address removed" : "\(Times.grouped(removed)) addresses removed")
        let left = addresses.count - removed
        guard left > 0 else { return .done }
        output.print(
            "\(Times.grouped(left)) still on the list, for the configuration or a watch-list file has "
                + "\(left == 1 ? "it" : "them"): take the line out there, then ipctl reload")
        return removed > 0 ? .done : .notAsAsked
    }
}
