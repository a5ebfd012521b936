import ArgumentParser
import Control
import Glibc
import RecordKeeping
import Varlink

/// `ipctl add`
struct Add: Command {
    static let configuration = CommandConfiguration(
        abstract: "Put addresses on the watch list.",
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

    @Argument(help: "IPv4 or IPv6 addresses.", completion: .watchedAddresses)
    var addresses: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A tag, one word; may be given several times.", valueName: "tag"), completion: .usedTags)
    var tag: [String] = []

    @Option(help: ArgumentHelp("A note, one line.", valueName: "text"))
    var note: String?

    @Option(
        help: ArgumentHelp("Read addresses from a file, one a line; - for standard input.", valueName: "file"),
        completion: .file())
    var file: String?

    @Flag(help: "Wait until each address has its first answer, and show them.")
    var wait = false

    func validate() throws {
        guard !addresses.isEmpty || file != nil else {
            throw ValidationError("Give addresses, or a file of them with --file.")
        }
        for tag in tag { try TagText.check(tag) }
        if let note { try TagText.check(note: note) }
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let lines = try file.map { path throws(Complaint) in try AddressFile(path).addresses } ?? []
        let all = addresses + lines
        guard !all.isEmpty else { throw Complaint(status: .badData, message: "there is no address in \(file ?? "")") }
        var (added, already) = (0, 0)
        let bar = ProgressBar(total: all.count)
        for part in all.parts(of: Self.addressesPerCall) {
            bar.show(added + already)
            let parameters = Control.Add.Parameters(addresses: part, tags: tag.isEmpty ? nil : tag, note: note)
            let reply = try connection.call("Add", parameters)
            if output.isJSON { output.print(reply.parameters) }
            let counts = try reply.decoded(Control.Add.Reply.self)
            added += counts.added
            already += counts.already
        }
        bar.end()
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
