import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl list`
struct List: Command {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Show the watch list, or what matches of it.",
        discussion: """
            Pinned entries come first, then it goes by address. What is asked for together must all hold. --search finds \
            text without regard to case in address, tags, note and every text of the record, and the addresses of a CIDR \
            block. In a terminal a long list opens in a pager ($IPCTL_PAGER, $PAGER or less; IPCTL_PAGER=cat for none).

            Exit status: 1 where nothing matches.

            Examples:
              ipctl list                                the first hundred
              ipctl list --all --tag prod               all with a tag
              ipctl list --state stale                  what could not be refreshed
              ipctl list --search 203.0.113.0/24        a block of addresses
              ipctl list --search cloudflare            an owner, a host name, a city …
              ipctl list --changed-since 24h            what changed in a day
              ipctl list --all --json | jq -r '.entries[].address'
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @Option(help: ArgumentHelp("Only what holds this text, or lies in this block.", valueName: "text"))
    var search: String?

    @Option(
        help: ArgumentHelp(
            "Only entries in this state: \(EntryState.allCases.map(\.rawValue).joined(separator: ", ")).",
            valueName: "state"), completion: .entryStates)
    var state: String?

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Only entries with this tag.", valueName: "tag"), completion: .usedTags)
    var tag: String?

    @Flag(help: "Only pinned entries.")
    var pinned = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only entries whose record changed in this time: 90s, 24h, 7d.", valueName: "span"),
        transform: { try TimeSpan(option: $0) })
    var changedSince: TimeSpan?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Show so many at most (default: \(Control.List.defaultLimit)).", valueName: "number"),
        transform: {
            try WholeNumber.option($0, in: 1...Int64(Limits.entriesPerPage), orElse: "--all for all that match")
        })
    var limit: Int64?

    @Flag(help: "Show all that match.")
    var all = false

    func validate() throws {
        let states = EntryState.allCases.map(\.rawValue)
        if let state, !states.contains(state) {
            throw ValidationError("there is no state \"\(state)\"; the states are \(states.joined(separator: ", "))")
        }
        if let tag { try TagText.check(tag) }
        if all, limit != nil { throw ValidationError("give --limit or --all, not both") }
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
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
                // Pinned entries come first: where the first is not, none is.
                var next = table ?? EntryTable(hasLabels: true, hasPins: page.entries[0].pinned, now: now)
                output.print(next.nextLines(page.entries, on: output.terminal))
                table = next
            }
        }
        if all {
            try ListPages(parameters).read(from: connection) { reply, page throws(Complaint) in
                show(reply, page)
                try output.flush()
            }
        } else {
            let reply = try connection.call("List", parameters)
            let page = try reply.decoded(Control.List.Reply.self)
            show(reply, page)
            if page.next != nil { tellOfTheRest(shown, of: page.total, output) }
        }
        guard shown == 0 else { return .done }
        guard !output.isJSON else { return .notAsAsked }
        throw nothing()
    }

    private func tellOfTheRest(_ shown: Int, of total: Int, _ output: Output) {
        guard !output.isJSON else { return }
        let text = "\(Times.grouped(shown)) of \(Times.grouped(total)) shown; --all shows the rest"
        guard output.terminal.columns == nil else { return output.print(output.terminal.styled(text, .dim)) }
        // What is piped on has entries only; who asked for so many knows that there may be more.
        if limit == nil { Output.remark(text) }
    }

    private func nothing() -> Complaint {
        let isFiltered = search != nil || state != nil || tag != nil || pinned || changedSince != nil
        guard !isFiltered else {
            return Complaint(status: .notAsAsked, message: "nothing on the watch list matches")
        }
        return Complaint(
            status: .notAsAsked, message: "the watch list is empty",
            advice: "Put addresses on it with: ipctl add ADDRESS…, or ipctl add --file FILE")
    }
}
