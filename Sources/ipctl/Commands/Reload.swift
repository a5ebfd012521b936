import ArgumentParser
import Control
import Varlink

/// The command `ipctl reload`.
struct Reload: Command {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reload the daemon's configuration and the watch-list files.",
        discussion: """
            Equivalent to SIGHUP. Addresses on new lines are added to the watch list. If a line was removed, its \
            address is removed from the watch list, unless a client also added the address. If a file cannot be read, \
            its last contents stay in effect. If the files contain no addresses, and entries would be removed from the \
            watch list, the reload is refused, because the file system of the directory might not be mounted; --force \
            removes these entries.

            With --dry-run, + precedes an address that would be added, ~ one whose labels would change or that a \
            client added and a file would start or stop listing, and - one that would be removed; at most 10,000 of \
            each kind. After ~, the line shows what would change, with the old and the new value. The first 1,000 \
            invalid lines and unreadable files are reported on standard error.

            Exit status: 65 if a line is invalid or a file cannot be read; all other lines are applied.

            Examples:
              echo '192.0.2.1 prod # gateway' | sudo tee /etc/iprecord/watch.d/a.list
              sudo ipctl reload --dry-run
              sudo ipctl reload
            """)

    @OptionGroup var options: GlobalOptions
    @Flag(help: "Reload even if the files have no addresses, and remove their entries from the watch list.")
    var force = false

    @OptionGroup var preview: PreviewOption

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        // A daemon of an older version refuses the call because of the unknown parameter.
        let parameters = Control.Reload.Parameters(
            force: force ? true : nil, dryRun: preview.dryRun ? true : nil)
        let reply = try connection.call("Reload", parameters)
        let counts = try reply.decoded(Control.Reload.Reply.self)
        if preview.dryRun {
            try Preview(reloading: counts, document: reply.parameters).print(to: output)
            let problems = counts.preview?.problems ?? []
            for problem in problems { Output.printMessage(problem.printableLines) }
            return problems.isEmpty ? .done : .badData
        }
        output.print(reply.parameters, or: ["reloaded; " + (counts.sentence(verb: "added") ?? Self.unchanged)])
        return .done
    }

    private static let unchanged = "the watch list is unchanged"
}

extension Control.Reload.Reply {
    /// Returns the summary of the changes; nil if there are none.
    ///
    /// - Parameter verb: the participle for the added addresses.
    fileprivate func sentence(verb: String) -> String? {
        guard added > 0 || changed > 0 || removed > 0 else { return nil }
        let others = changed == 0 ? "" : " \(Times.grouped(changed)) changed,"
        return "\(Times.count(added, "address")) \(verb),\(others) \(Times.grouped(removed)) removed"
    }
}

extension Preview {
    /// The changes that a reload would make.
    ///
    /// - Parameter document: the reply as JSON.
    fileprivate init(reloading reply: Control.Reload.Reply, document: Value) {
        let listed = reply.preview ?? .init(added: [], changed: [], removed: [])
        let details = Dictionary(listed.changes?.map { ($0.address, $0.text) } ?? []) { first, _ in first }
        let lines = [("+", listed.added), ("~", listed.changed), ("-", listed.removed)].flatMap { mark, addresses in
            addresses.map { ("\(mark) \($0)" + (mark == "~" ? details[$0] ?? "" : "")).printable }
        }
        let sentence = reply.sentence(verb: "would be added") ?? "the watch list would not change"
        let all = [reply.added, reply.changed, reply.removed].reduce(0) { $0.clampedAdding($1) }
        let rest = lines.count < all ? "; only the first of each kind are shown" : ""
        self.init(lines: lines, document: document, summary: sentence + rest)
    }
}

extension Control.Reload.Change {
    /// The differences for people, to be added to the address: "  tags: dns → dns,prod; note: (none) → gateway".
    fileprivate var text: String {
        let texts = fields.map { change in
            func value(_ text: String?) -> String {
                guard let text else { return "(none)" }
                return change.field == "watchedUntil" ? Int64(text).map(Times.date) ?? text : text
            }
            let name = change.field == "watchedUntil" ? "watched until" : change.field
            return "\(name): \(value(change.old)) → \(value(change.new))"
        }
        return texts.isEmpty ? "" : "  " + texts.joined(separator: "; ")
    }
}
