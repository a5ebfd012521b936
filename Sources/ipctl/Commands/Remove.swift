import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl remove`.
struct Remove: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove addresses and their history from the watch list.",
        discussion: """
            If any address is not on the watch list, nothing is removed. An address in the configuration or in a \
            watch-list file stays: remove it there, then run ipctl reload. A fresh record is kept until it expires, so \
            that adding the address again makes no second call within the interval.

            Exit status: 1 if an address stays, or is not on the watch list.

            Example:
              ipctl remove 1.1.1.1 2606:4700:4700::1111
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var addressArguments: AddressArguments

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let addresses = try addressArguments.list().uniqueAddresses
        var removed = 0
        let calls = BatchedCalls(addresses: addresses, addressesPerCall: Limits.addressesPerRequest) { done, last in
            "At least the first \(done), up to \(last), have been removed; continue with the others."
        }
        try calls.run(on: connection) { part throws(CommandError) in
            do throws(CommandError) {
                let reply = try connection.call("Remove", Control.Remove.Parameters(addresses: part))
                removed = removed.clampedAdding(try reply.decoded(Control.Remove.Reply.self).removed)
                if output.isJSON { output.print(reply.parameters) }
            } catch {
                throw error.withoutAddHint
            }
        }
        let left = addresses.count.clampedSubtracting(removed)
        let status: ExitStatus = left > 0 ? .negative : .done
        guard !output.isJSON else { return status }
        output.print("\(Times.count(removed, "address")) removed")
        guard left > 0 else { return status }
        output.print(
            left == 1
                ? "1 address stays because it is in the configuration or a watch-list file; remove it there, then run "
                    + "ipctl reload"
                : "\(Times.grouped(left)) addresses stay because they are in the configuration or a watch-list file; "
                    + "remove them there, then run ipctl reload")
        return status
    }
}
