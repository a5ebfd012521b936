import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl list`.
struct List: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the watch list, or the entries that match.",
        discussion: """
            Pinned entries come first; the rest are sorted by address, or with --sort by a field of the record. Entries \
            without a value come last, even with --reverse. Different filters combine with AND; repeated values of one \
            filter combine with OR. --search ignores case. On a terminal, a long list opens in a pager ($IPCTL_PAGER, \
            $PAGER or less; IPCTL_PAGER=cat for none).

            \(FieldValues.help)

            Exit status: 1 if nothing matches.

            Examples:
              ipctl list                                the first 100 entries
              ipctl list --all --tag prod               all entries with a tag
              ipctl list --state stale                  entries that could not be refreshed
              ipctl list --search 203.0.113.0/24        a block of addresses
              ipctl list --search cloudflare            an owner, a host name, a city …
              ipctl list --changed-since 24h            entries that changed within a day
              ipctl list --country DE --country AT --not-tag test
              ipctl list --not-country DE               outside Germany, or unknown
              ipctl list --sort offset --reverse        from east to west
              ipctl list --columns address,age          how old the records are
              ipctl list --all --sort isp --columns address,isp,city --format csv
              ipctl list --all --json | jq -r '.entries[].address'
            """)

    @OptionGroup var options: GlobalOptions

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

    @OptionGroup var order: SortOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    @OptionGroup(title: "Output") var rows: RowOptions

    static let repeatableOptions = FilterOptions.repeatable

    func validate() throws {
        try order.check(names: FilterOptions.recordFields)
        try rows.check(names: FieldValues.names, isJSON: options.json)
        if all, limit != nil { throw ValidationError("give --limit or --all, not both") }
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        output.isPaged = true
        let now = Times.now
        let parameters = Control.List.Parameters(
            filter: filters.filter, sort: order.sort, descending: order.reverse ? true : nil,
            limit: limit ?? Int64(Control.List.defaultLimit))
        var table: EntryTable?
        var writer = rows.isCustom ? RowPrinter(rows, names: FieldValues.defaultColumns) : nil
        var shown = 0
        func show(_ reply: ClientConversation.IncomingReply, _ page: Control.List.Reply) {
            shown += page.entries.count
            if output.isJSON {
                output.print(reply.parameters)
            } else if writer != nil {
                writer?.write(EntryRows(of: reply.parameters).rows, to: output)
            } else if !page.entries.isEmpty {
                // Pinned entries come first: if the first entry is not pinned, none is.
                let hasMore = all && page.next != nil
                var next =
                    table
                    ?? EntryTable(
                        hasLabels: true, hasPins: page.entries[0].pinned,
                        hasProblems: hasMore || page.entries.contains { $0.failure != nil }, now: now)
                let lines = next.nextLines(
                    page.entries, on: output.terminal, isWhole: table == nil && !hasMore)
                output.print(rows.noHeaders && table == nil ? Array(lines.dropFirst()) : lines)
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
        throw filters.noMatches
    }

    private func printHiddenCount(_ shown: Int, of total: Int, _ output: Output) {
        let text = "\(Times.grouped(shown)) of \(Times.grouped(total)) shown; --all shows the rest"
        guard output.isJSON || output.terminal.columns == nil else {
            return output.print(output.terminal.styled(text, .dim))
        }
        // Output for programs contains only entries. A user who sets --limit knows that there may be more.
        if limit == nil { Output.printMessage(text) }
    }
}
