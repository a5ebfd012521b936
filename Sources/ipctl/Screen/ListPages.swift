import Control
import Varlink

/// The members of a page that are needed to request the next page.
protocol ContinuablePage: Decodable {
    var next: String? { get }
}

extension Control.List.Reply: ContinuablePage {}

/// Reads the watch list page by page, with one page in memory at a time.
struct ListPages {
    /// The filters; the cursor and the limit are ignored.
    let parameters: Control.List.Parameters

    /// Entries per page; a page is about 800 KB long.
    private static let entriesPerPage: Int64 = 1_000

    /// - Parameters:
    ///   - type: the type of a page, with the members that are needed.
    ///   - each: called with each reply and the page decoded from it.
    func read<Page: ContinuablePage>(
        as type: Page.Type, from connection: DaemonConnection,
        each: (ClientConversation.IncomingReply, Page) throws(CommandError) -> Void
    ) throws(CommandError) {
        var parameters = parameters
        parameters.limit = Self.entriesPerPage
        while true {
            let reply = try connection.call("List", parameters)
            let page = try reply.decoded(type)
            try each(reply, page)
            guard let next = page.next else { return }
            guard next != parameters.after else {
                throw CommandError(status: .software, message: "the daemon returned the same page of the list twice")
            }
            parameters.after = next
        }
    }
}
