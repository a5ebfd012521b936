import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl remove`.
struct Remove: Command, TakesAddresses {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove addresses and their history from the watch list.",
        discussion: """
            If any address is not on the watch list, nothing is removed. An address in the configuration or in a \
            watch-list file stays: remove it there, then run ipctl reload. A fresh record is kept until it expires, so \
            that adding the address again makes no second call within the interval. Instead of addresses, \
            watched host names can be given; their addresses are removed too, unless a client has added them, a file \
            lists them, or they belong to another name.

            Instead of addresses, filters can select the entries to remove. Different filters combine with AND; \
            repeated values of one filter combine with OR.

            With --dry-run, each address is followed by the labels that would be lost, in the format of \
            iprecord.watch(5): tags, then # and the note; the line of a pinned entry ends with (pinned). For \
            host names, the names come first, then the addresses that would be removed with them.

            The addresses that stay are named, the first ten of them. With --json, the member staying has the first \
            10,000; with --dry-run, it has all.

            Exit status: 1 if an address stays or is not on the watch list, or if no entry matches the filters.

            Examples:
              ipctl remove 1.1.1.1 2606:4700:4700::1111
              ipctl remove www.example.com
              ipctl remove --tag old --dry-run          what would be removed
              ipctl remove --tag old --not-tag prod
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: "IPv4 or IPv6 addresses, or host names.", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(help: AddressArguments.fileHelp, completion: .file())
    var file: [String] = []

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @OptionGroup var preview: PreviewOption

    static let repeatableOptions: Set<String> = FilterOptions.repeatable.union(["--file"])

    func validate() throws {
        // The variable of a script may be unset. Without this condition, the command would remove more than intended.
        guard filters.entry.search != "" else { throw ValidationError("the text of --search is empty") }
        // Without any of them, the command would apply to the whole list.
        guard !addresses.isEmpty || !file.isEmpty || filters.filter != nil else {
            throw ValidationError("give addresses, a file with --file, or filters such as --tag")
        }
        guard addresses.isEmpty && file.isEmpty || filters.filter == nil else {
            throw ValidationError("give addresses or filters, not both")
        }
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let addresses: [String]
        if filters.filter != nil {
            addresses = try WatchedEntries.addresses(matching: filters.filter, on: connection)
            guard !addresses.isEmpty else { throw filters.noMatches }
        } else {
            let named = NamedArguments(self.addresses)
            let list = try named.addresses(files: file)
            // The two calls could not be undone together if the second one fails.
            guard list == nil || named.names.isEmpty else {
                throw CommandError(status: .usage, message: "remove addresses and host names with separate commands")
            }
            if !named.names.isEmpty { try NameChanges(named).remove(isPreview: preview.dryRun, on: connection, output) }
            guard let list else { return .done }
            addresses = list.uniqueAddresses
        }
        return preview.dryRun
            ? try printPreview(of: addresses, on: connection, output) : try remove(addresses, on: connection, output)
    }

    private func printPreview(
        of addresses: [String], on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) -> ExitStatus {
        let entries: [WatchedEntries.Entry]
        do throws(CommandError) {
            entries = try WatchedEntries(among: addresses, on: connection).all(of: addresses)
        } catch {
            throw error.withoutAddHint
        }
        let staying = try self.staying(of: addresses, on: connection)
        let kept = Set(staying)
        let removed = entries.filter { !kept.contains($0.address) }
        let sentence = "\(Times.count(removed.count, "address")) would be removed"
        try Preview(
            removing: removed, staying: staying,
            summary: staying.isEmpty
                ? sentence : "\(sentence); \(Self.sentence(staying: staying.count, first: staying))"
        ).print(to: output)
        return staying.isEmpty ? .done : .negative
    }

    /// Returns the addresses that a removal would leave on the watch list.
    private func staying(of addresses: [String], on connection: DaemonConnection) throws(CommandError) -> [String] {
        var staying: [String] = []
        let calls = BatchedCalls(addresses: addresses, addressesPerCall: Limits.stayingAddresses) { _, _ in
            "Nothing has been removed."
        }
        try calls.run(on: connection) { part throws(CommandError) in
            let reply = try connection.call("Remove", Control.Remove.Parameters(addresses: part, dryRun: true))
            staying += try reply.decoded(Control.Remove.Reply.self).staying ?? []
        }
        return staying
    }

    private func remove(
        _ addresses: [String], on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) -> ExitStatus {
        var (removed, staying) = (0, [String]())
        let calls = BatchedCalls(addresses: addresses, addressesPerCall: Limits.addressesPerRequest) { done, last in
            "At least the first \(done), up to \(last), have been removed; continue with the others."
        }
        try calls.run(on: connection) { part throws(CommandError) in
            do throws(CommandError) {
                let reply = try connection.call("Remove", Control.Remove.Parameters(addresses: part))
                let counted = try reply.decoded(Control.Remove.Reply.self)
                removed = removed.clampedAdding(counted.removed)
                // A daemon of an older version names none.
                staying += counted.staying ?? []
                if output.isJSON { output.print(reply.parameters) }
            } catch {
                throw error.withoutAddHint
            }
        }
        let left = addresses.count.clampedSubtracting(removed)
        let status: ExitStatus = left > 0 ? .negative : .done
        guard !output.isJSON else { return status }
        output.print("\(Times.count(removed, "address")) removed")
        if left > 0 { output.print(Self.sentence(staying: left, first: staying)) }
        return status
    }

    /// Maximum number of addresses that a sentence names.
    private static let maxNamed = 10

    /// - Parameter addresses: the first of these addresses; empty if they are unknown.
    private static func sentence(staying count: Int, first addresses: [String]) -> String {
        let named = addresses.prefix(maxNamed)
        let rest = count.clampedSubtracting(named.count)
        let others = rest > 0 ? " and \(Times.grouped(rest)) more" : ""
        let list = named.isEmpty ? "" : ": \(named.joined(separator: ", ").printable)\(others)"
        return count == 1
            ? "1 address stays because it is in the configuration or a watch-list file, or belongs to a host name"
                + "\(list); remove it there and run ipctl reload, or remove the name"
            : "\(Times.grouped(count)) addresses stay because they are in the configuration or a watch-list file, or "
                + "belong to a host name\(list); remove them there and run ipctl reload, or remove the name"
    }
}
