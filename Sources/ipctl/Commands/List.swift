import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl list`.
struct List: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the watch list, or the entries that match.",
        discussion: """
            Pinned entries come first; the rest are sorted by address. Filters combine with AND. --search finds text \
            in the address, tags, note and record, ignoring case, and the addresses in a CIDR block. On a terminal, a \
            long list opens in a pager ($IPCTL_PAGER, $PAGER or less; IPCTL_PAGER=cat for none).

            Exit status: 1 if nothing matches.

            Examples:
              ipctl list                                the first 100 entries
              ipctl list --all --tag prod               all entries with a tag
              ipctl list --state stale                  entries that could not be refreshed
              ipctl list --search 203.0.113.0/24        a block of addresses
              ipctl list --search cloudflare            an owner, a host name, a city …
              ipctl list --changed-since 24h            entries that changed within a day
              ipctl list --all --json | jq -r '.entries[].address'
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("Only entries that contain this text or lie in this block.", valueName: "text"))
    var search: String?

    @Option(help: List.stateHelp, completion: .entryStates)
    var state: String?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Only entries with this tag.", valueName: "tag"), completion: .usedTags)
    var tag: String?

    @Flag(help: "Only pinned entries.")
    var pinned = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only entries that changed within this duration: 90s, 24h, 7d.", valueName: "duration"),
        transform: { try TimeSpan(option: $0) })
    var changedSince: TimeSpan?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show at most this many entries (default: \(Control.List.defaultLimit)).", valueName: "number"),
        transform: {
            try WholeNumber.option($0, in: 1...Int64(Limits.entriesPerPage), orElse: "use --all")
        })
    var limit: Int64?

    @Flag(help: "Show all matching entries.")
    var all = false

    static let states = EntryState.allCases.map(\.rawValue)
    static let stateHelp = ArgumentHelp(
        "Only entries in this state: \(states.joined(separator: ", ")).", valueName: "state")

    func validate() throws {
        if let state { try Choice.check("state", [state], in: List.states) }
        if let tag { try TagText.check(tag) }
        if all, limit != nil { throw ValidationError("give --limit or --all, not both") }
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        output.isPaged = true
        let now = Times.now
        let parameters = Control.List.Parameters(
            search: search, state: state, tag: tag, pinned: pinned ? true : nil,
            changedSince: changedSince.map { now - $0.milliseconds },
            limit: limit ?? Int64(Control.List.defaultLimit))
        var table: EntryTable?
        var shown = 0
        func show(_ reply: ClientConversation.IncomingReply, _ page: Control.List.Reply) {
            shown += page.entries.count
            if output.isJSON {
                output.print(reply.parameters)
            } else if !page.entries.isEmpty {
                // Pinned entries come first: if the first entry is not pinned, none is.
                var next =
                    table
                    ?? EntryTable(
                        hasLabels: true, hasPins: page.entries[0].pinned,
                        hasProblems: page.entries.contains { $0.record != nil && $0.failure != nil }, now: now)
                output.print(next.nextLines(page.entries, on: output.terminal))
                table = next
            }
        }
        if all {
            let pages = ListPages(parameters: parameters)
            try pages.read(as: Control.List.Reply.self, from: connection) { reply, page throws(CommandError) in
                show(reply, page)
                try output.flush()
            }
        } else {
            let reply = try connection.call("List", parameters)
            let page = try reply.decoded(Control.List.Reply.self)
            show(reply, page)
            if page.next != nil { printHiddenCount(shown, of: page.total, output) }
        }
        guard shown == 0 else { return .done }
        guard !output.isJSON else { return .negative }
        let isFiltered = search != nil || state != nil || tag != nil || pinned || changedSince != nil
        throw Self.noMatches(isFiltered: isFiltered)
    }

    private func printHiddenCount(_ shown: Int, of total: Int, _ output: Output) {
        let text = "\(Times.grouped(shown)) of \(Times.grouped(total)) shown; --all shows the rest"
        guard output.isJSON || output.terminal.columns == nil else {
            return output.print(output.terminal.styled(text, .dim))
        }
        // Output for programs contains only entries. A user who sets --limit knows that there may be more.
        if limit == nil { Output.printMessage(text) }
    }

    /// Returns the error for a watch list without entries, or without matching entries.
    static func noMatches(isFiltered: Bool) -> CommandError {
        guard !isFiltered else {
            return CommandError(status: .negative, message: "no entry on the watch list matches")
        }
        return CommandError(
            status: .negative, message: "the watch list is empty",
            advice: "Add addresses with: ipctl add ADDRESS…, or ipctl add --file FILE")
    }
}
