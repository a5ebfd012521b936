import ArgumentParser
import Control
import RecordKeeping
import Varlink

/// `ipctl add`
struct Add: AddressCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Put addresses on the watch list.",
        discussion: """
            An address that is on the list already keeps its record, and gets the tags and the note. All or none: one bad \
            address, and nothing is added.

            Examples:
              ipctl add 1.1.1.1 --tag dns --note "Cloudflare's resolver"
              ipctl add --file servers.txt --tag prod
              dig +short example.com | ipctl add --file - --wait
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    @OptionGroup var given: AddressArguments

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A tag, one word; may be given several times.", valueName: "tag"), completion: .usedTags)
    var tag: [String] = []

    @Option(help: ArgumentHelp("A note, one line.", valueName: "text"))
    var note: String?

    @Flag(help: "Wait until each address has its first answer, and show them.")
    var wait = false

    func validate() throws {
        try TagText.check(tag)
        if let note { try TagText.check(note: note) }
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let all = try given.each()
        var (added, already) = (0, 0)
        let calls = ManyCalls(addresses: all, addressesPerCall: Self.addressesPerCall) { done, _ in
            "At least \(done) are on the list by now; the same command again does the rest."
        }
        try calls.run(on: connection) { part throws(Complaint) in
            let parameters = Control.Add.Parameters(addresses: part, tags: tag.isEmpty ? nil : tag, note: note)
            let reply: ClientConversation.IncomingReply
            do throws(Complaint) {
                reply = try connection.call("Add", parameters)
            } catch {
                throw error.ofLabels
            }
            if output.isJSON { output.print(reply.parameters) }
            let counts = try reply.decoded(Control.Add.Reply.self)
            added += counts.added
            already += counts.already
        }
        if !output.isJSON { output.print(Self.sentence(added: added, already: already)) }
        guard wait else { return .done }
        try output.flush()
        return try Waiting(addresses: all).run(on: connection, output)
    }

    /// Well below the daemon's limit, so that each reply comes soon.
    private static let addressesPerCall = 10_000

    /// What came of it.
    static func sentence(added: Int, already: Int) -> String {
        let new = added == 1 ? "1 address added" : "\(Times.grouped(added)) addresses added"
        return already == 0 ? new : "\(new), \(Times.grouped(already)) on the list already"
    }
}
