import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl add`.
struct Add: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add addresses to the watch list.",
        discussion: """
            An address that is already on the list keeps its record, and gets the tags and the note. If any address is \
            invalid, nothing is added. The tags and notes in a file are applied too.

            With --for, the addresses and their history are removed after this time. --for never shortens the watch of \
            an address that is already on the list. Without --for, its watch no longer ends by itself. The output says \
            how many watches end later, or no longer end.

            An argument can also be a CIDR block or a range of addresses, of at most 65,536 addresses, or a host name. \
            The daemon resolves a watched name once per interval, and its addresses are on the list while the name has \
            them. --for and --wait do not apply to names.

            Examples:
              ipctl add 1.1.1.1 --tag dns --note "Cloudflare's resolver"
              ipctl add 203.0.113.0/28 198.51.100.7-198.51.100.9 --dry-run
              ipctl add --file servers.txt --tag prod
              ipctl add www.example.com --tag web            all addresses of the name
              ipctl add 192.0.2.77 --for 24h --note "seen in the logs"
              dig +short example.com | ipctl add --file - --wait
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var addressArguments: NamedAddressArguments

    @Option(name: .shortAndLong, help: TagText.help, completion: .usedTags)
    var tag: [String] = []

    @Option(help: ArgumentHelp("A note of one line.", valueName: "text"))
    var note: String?

    @Option(
        name: .customLong("for"), parsing: .unconditional,
        help: ArgumentHelp("Remove the addresses from the list after this time: 90m, 24h, 7d.", valueName: "duration"),
        transform: { try TimeSpan(option: $0) })
    var watchTime: TimeSpan?

    @Flag(help: "Wait until each address has its first result, then show the records.")
    var wait = false

    @OptionGroup var preview: PreviewOption

    func validate() throws {
        try TagText.checkNew(tag)
        if let note { try TagText.check(note: note) }
        if watchTime?.milliseconds == 0 { throw ValidationError("--for must be longer than 0") }
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let named = NamedArguments(addresses)
        let addressList = try named.addresses(files: addressArguments.file)
        if !named.names.isEmpty {
            guard watchTime == nil, !wait else {
                throw CommandError(status: .usage, message: "--for and --wait cannot be used with host names")
            }
            try NameChanges(named).add(tags: tag, note: note, isPreview: preview.dryRun, on: connection, output)
        }
        guard let list = addressList else { return .done }
        let all = list.uniqueAddresses
        let until = watchTime.map { Times.now + $0.milliseconds }
        func labelled() throws(CommandError) -> [ListedEntry] {
            try list.labelled(tags: tag, note: note, until: until)
        }
        if preview.dryRun {
            try Preview(adding: try labelled(), until: until, on: connection).print(to: output)
            return .done
        }
        let counts =
            try list.hasLabels
            ? upload(try labelled(), on: connection, output) : add(all, until: until, on: connection, output)
        if !output.isJSON {
            output.print(counts.sentence())
            if let until { output.print(counts.sentence(until: until)) }
            if let sentence = counts.sentenceAboutRemovedEnds { output.print(sentence) }
        }
        guard wait else { return .done }
        try output.flush()
        return try RecordWait(addresses: all).run(on: connection, output)
    }

    /// Adds addresses with individual labels.
    private func upload(
        _ entries: [ListedEntry], on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) -> AdditionCounts {
        var upload = try EntryUpload()
        for entry in entries { try upload.append(entry) }
        return try upload.send(on: connection, output, retryCommand: "the same command")
    }

    /// Adds addresses that get the same labels.
    private func add(
        _ all: [String], until: Int64?, on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) -> AdditionCounts {
        var counts = AdditionCounts()
        let calls = BatchedCalls(addresses: all, addressesPerCall: Self.addressesPerCall) { done, _ in
            "At least \(done) are now on the list; run the same command again to add the rest."
        }
        try calls.run(on: connection) { part throws(CommandError) in
            let parameters = Control.Add.Parameters(
                addresses: part, tags: tag.isEmpty ? nil : tag, note: note, until: until)
            let reply: ClientConversation.IncomingReply
            do throws(CommandError) {
                reply = try connection.call("Add", parameters)
            } catch {
                throw error.explainingTagLimit
            }
            if output.isJSON { output.print(reply.parameters) }
            counts.add(try reply.decoded(Control.Add.Reply.self))
        }
        return counts
    }

    /// Addresses per call, well below the daemon's limit, so that each reply arrives soon.
    private static let addressesPerCall = 10_000
}
