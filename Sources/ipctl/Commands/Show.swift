import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// The command `ipctl show`.
struct Show: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the records of addresses: one as a card, several as a table.",
        discussion: """
            A fresh record is shown at once and costs no call; otherwise a call is made and awaited. An address that \
            is not on the watch list is looked up too, and its record is kept for one interval. --wait 0 prints what \
            is known without waiting; if there is no fresh record, a call is still made. If the daemon has local \
            databases, their record is shown beside one that is not fresh, marked as offline.

            An argument can also be a CIDR block or a range of addresses, or a host name, which stands for all of its \
            addresses. If the name is not watched, or the daemon does not know an address of it yet, ipctl looks it up \
            as other programs do. If the output is a card or a table, a note on standard error lists the addresses.

            With --sort, several entries are sorted by a field; otherwise, they have the order of the addresses in the \
            command.

            \(FieldValues.help)

            Examples:
              ipctl show 1.1.1.1
              ipctl show 1.1.1.1 8.8.8.8 9.9.9.9
              ipctl show localhost                 all addresses of a host name
              ipctl show 8.8.8.8 --field isp --field country
              ipctl show 8.8.8.8 --wait 0          what is known now
              ipctl show 8.8.8.8 --max-age 1h --field country
              ipctl show --file hosts --sort age --reverse     the oldest record first
              ipctl show --file hosts --columns address,country,isp --format csv

            Exit status: 1 if the provider has no record of an address; 68 if a host name has no address; 75 if there \
            is no record yet, or the call or the lookup of a name failed, even if local databases have a record. A \
            stale record is a success. If --field is given without state, a note on standard error says that a record \
            is stale or missing, or, if --field is given without offline, that it is from local databases. With \
            --fresh or --max-age, records that are too old are not printed, and the status is 75.
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var addressArguments: NamedAddressArguments

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Wait at most this long for fresh records: 2s, 500ms (default: 5s).", valueName: "duration"),
        transform: { try TimeSpan(option: $0, upTo: Show.maxWait) })
    var wait: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "Print only this field; can be repeated. The fields of several addresses are one line each, with tabs.",
            valueName: "name"),
        completion: .fields)
    var field: [String] = []

    @OptionGroup var age: AcceptedAge

    @OptionGroup var order: SortOptions

    @OptionGroup(title: "Output") var rows: RowOptions

    func validate() throws {
        try Choice.check("field", field, in: FieldValues.names)
        try rows.check(names: FieldValues.names, isJSON: options.json)
        try order.check(names: FieldValues.names, isJSON: options.json)
        guard field.isEmpty || !rows.isCustom else {
            throw ValidationError("give --field, or --format and --columns, not both")
        }
    }

    private static let maxWait = TimeSpan("24h")

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        guard !output.isJSON || field.isEmpty else {
            throw CommandError(status: .usage, message: "give --json or --field, not both")
        }
        var (entries, refused): ([Interface.Entry], [Interface.Entry]) = ([], [])
        // The rows of all entries, if they are sorted.
        var unsorted: [(String) -> Value?] = []
        var writer = rows.isCustom ? RowPrinter(rows, names: FieldValues.defaultColumns) : nil
        var rest = wait?.milliseconds
        let deadline = wait.map { Deadline(in: .milliseconds($0.milliseconds)) }
        let waitEnd = deadline ?? Deadline(in: Control.Show.defaultWait)
        for part in try addresses(until: connection.limits.end(), on: connection, output)
            .parts(of: Limits.addressesPerRequest)
        {
            let (reply, shown) = try Self.reply(to: part, wait: &rest, until: deadline, on: connection)
            let isAccepted = shown.map { age.accepts($0, now: Times.now) }
            entries += zip(shown, isAccepted).filter(\.1).map(\.0)
            refused += zip(shown, isAccepted).filter { !$0.1 }.map(\.0)
            let accepted = EntryRows(of: reply.parameters).keeping(isAccepted)
            if output.isJSON {
                output.print(accepted.parameters)
            } else if order.sort == nil {
                writer?.write(accepted.rows, to: output)
            } else {
                unsorted += accepted.rows
            }
        }
        if order.sort != nil {
            let sorted = order.sorted(Array(zip(entries, unsorted))) { $0.1($1) }
            entries = sorted.map(\.0)
            writer?.write(sorted.map(\.1), to: output)
        }
        let status = refused.isEmpty ? ExitStatus(of: entries) : ExitStatus(of: entries).worse(.tryLater)
        let milliseconds = waitEnd.spanMilliseconds
        let ended = milliseconds > 0 ? EndedWait(milliseconds: milliseconds, isEarly: !waitEnd.isOver) : nil
        for entry in refused { Output.printMessage(age.refusal(of: entry, after: ended, now: Times.now)) }
        if output.isJSON { return status }
        if !field.isEmpty {
            // The lines of one address, or a line for each of several.
            let separator = entries.count + refused.count == 1 ? "\n" : "\t"
            for entry in entries {
                let values = field.map { (FieldValues(entry: entry)[$0] ?? "").printable }
                output.print(bytes: Array((values.joined(separator: separator) + "\n").utf8))
            }
            let isRecordPrinted = field.contains { Record.Field(rawValue: $0) != nil }
            // A script that prints the state can already see that a record is stale or missing.
            if !field.contains("state") {
                noteStaleRecords(among: entries, after: ended)
                noteMissingRecords(among: entries, isSubstituted: isRecordPrinted, after: ended)
            }
            if isRecordPrinted, !field.contains("offline") {
                noteOfflineRecords(among: entries, after: ended)
            }
        } else if writer == nil, !entries.isEmpty {
            let lines = Entries(entries: entries, wait: ended).lines(on: output.terminal)
            output.print(rows.noHeaders && entries.count > 1 ? Array(lines.dropFirst()) : lines)
        }
        return status
    }

    /// Returns the addresses to show, in the order of the arguments.
    ///
    /// - Parameter end: the time limit for looking up host names.
    private func addresses(
        until end: Deadline?, on connection: DaemonConnection, _ output: Output
    ) throws(CommandError) -> [String] {
        let isForPeople = !output.isJSON && field.isEmpty && !rows.isCustom
        return try addressArguments.list { names throws(CommandError) in
            let watched = try WatchedNames.found(among: names.sorted(), on: connection).filter {
                !$0.value.addresses.isEmpty
            }
            let others = names.subtracting(watched.keys)
            var addresses = others.isEmpty ? [:] : try NameLookups(of: others, until: end).addresses
            for (name, known) in watched { addresses[name] = try WatchedNames.addresses(of: known) }
            for name in names.sorted() where isForPeople {
                let problem = watched[name].flatMap { WatchedNames.problem($0, now: Times.now) }
                let note = problem.map { " (\($0))" } ?? ""
                Output.printMessage(NameLookups.sentence(name, addresses[name] ?? []) + note)
            }
            return addresses
        }.addresses
    }

    /// Returns the entries of the given addresses. The daemon limits the wait of a call, so a longer wait needs several
    /// calls.
    ///
    /// - Parameters:
    ///   - rest: the milliseconds until the deadline, updated after each call; nil for the daemon's default.
    ///   - deadline: the end of the wait; nil for the daemon's default.
    ///   - limit: the daemon's limit on the wait of a call, in milliseconds.
    static func reply(
        to addresses: [String], wait rest: inout Int64?, until deadline: Deadline?, on connection: DaemonConnection,
        limit: Int64 = Limits.maxWait.wholeMilliseconds
    ) throws(CommandError) -> (reply: ClientConversation.IncomingReply, entries: [Interface.Entry]) {
        while true {
            let wait = rest.map { min($0, limit) }
            let end = Deadline(in: .milliseconds(wait ?? 0))
            let reply = try connection.call(
                "Show", Control.Show.Parameters(addresses: addresses, wait: wait),
                wait: wait.map { .milliseconds($0) } ?? Control.Show.defaultWait)
            let entries = try reply.decoded(Control.Show.Reply.self).entries
            rest = deadline.map { Int64($0.remaining) }
            let states = [EntryState.fresh, .empty].map(\.rawValue)
            guard let deadline, continues(after: end, until: deadline),
                !entries.allSatisfy({ states.contains($0.state) })
            else { return (reply, entries) }
        }
    }

    /// Whether the wait continues after a call: the call ended because of the daemon's limit, and time is left. A reply
    /// before the end of the call means that further waiting is useless, and the entries contain the reasons.
    static func continues(after call: Deadline, until deadline: Deadline) -> Bool { call.isOver && !deadline.isOver }

    private func noteOfflineRecords(among entries: [Interface.Entry], after wait: EndedWait?) {
        let substituted = entries.filter { $0.substitute != nil }
        guard let entry = substituted.first, let offline = entry.substitute else { return }
        guard substituted.count == 1 else {
            let records = "\(Times.grouped(substituted.count)) of \(Times.grouped(entries.count)) records"
            return Output.printMessage("\(records) are from local databases; --field offline shows which")
        }
        let reason = EntryTable.problem(entry, now: Times.now, wait: wait).map { ": \($0)" } ?? ""
        Output.printMessage("the record of \(entry.address) is offline, from \(offline.source)\(reason)")
    }

    private func noteStaleRecords(among entries: [Interface.Entry], after wait: EndedWait?) {
        let now = Times.now
        let stale = entries.filter { $0.state == EntryState.stale.rawValue }
        guard let entry = stale.first else { return }
        guard stale.count == 1 else {
            let records = "\(Times.grouped(stale.count)) of \(Times.grouped(entries.count)) records"
            return Output.printMessage("\(records) are stale; --field state shows which")
        }
        let age = entry.scannedAt.map { ", scanned \(Times.ago($0, from: now))" } ?? ""
        let reason = EntryTable.problem(entry, now: now, wait: wait).map { ": \($0)" } ?? ""
        Output.printMessage("the record of \(entry.address) is stale\(age)\(reason)")
    }

    /// - Parameter isSubstituted: whether records from local databases are printed in place of missing ones.
    private func noteMissingRecords(
        among entries: [Interface.Entry], isSubstituted: Bool, after wait: EndedWait?
    ) {
        let missing = entries.filter { $0.record == nil && !(isSubstituted && $0.substitute != nil) }
        guard let entry = missing.first else { return }
        guard missing.count == 1 else {
            let addresses = "\(Times.grouped(missing.count)) of \(Times.grouped(entries.count)) addresses"
            return Output.printMessage("\(addresses) have no record; --field state shows which")
        }
        let reason = entry.reason ?? EntryTable.problem(entry, now: Times.now, wait: wait)
        Output.printMessage("\(entry.address) has no record\(reason.map { ": \($0)" } ?? "")")
    }
}
