import Control
import Varlink

/// What is needed of a page to find the next.
protocol ListPage: Decodable {
    var next: String? { get }
}

extension Control.List.Reply: ListPage {}

/// The watch list, read a page after the other, of which one is held at a time.
struct ListPages {
    private let parameters: Control.List.Parameters

    /// A page is some 800 KB.
    private static let entriesPerPage: Int64 = 1_000

    /// - Parameter parameters: which entries; not where to begin and how many at a time.
    init(_ parameters: Control.List.Parameters) {
        self.parameters = parameters
    }

    /// - Parameter each: what to do with a page, as it came and as it is meant.
    func read(
        from connection: Connection,
        each: (ClientConversation.IncomingReply, Control.List.Reply) throws(Complaint) -> Void
    ) throws(Complaint) {
        try read(as: Control.List.Reply.self, from: connection, each: each)
    }

    /// - Parameter type: as much of a page as is needed.
    func read<Page: ListPage>(
        as type: Page.Type, from connection: Connection,
        each: (ClientConversation.IncomingReply, Page) throws(Complaint) -> Void
    ) throws(Complaint) {
        var parameters = parameters
        parameters.limit = Self.entriesPerPage
        while true {
            let reply = try connection.call("List", parameters)
            let page = try reply.decoded(type)
            try each(reply, page)
            guard let next = page.next else { return }
            guard next != parameters.after else {
                throw Complaint(status: .software, message: "the daemon's list has no end: it names one page twice")
            }
            parameters.after = next
        }
    }
}
