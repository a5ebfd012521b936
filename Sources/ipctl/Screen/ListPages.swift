import Control
import JSON
import Varlink

/// The members of a page that are needed to request the next page.
protocol ContinuablePage {
    var next: String? { get }
}

extension Control.List.Reply: ContinuablePage {}

/// Reads the watch list page by page. While a page is decoded, the daemon prepares the next one.
struct ListPages {
    /// The filters; the cursor and the limit are ignored.
    let parameters: Control.List.Parameters

    /// Entries per page; a page is about 800 KB long.
    private static let entriesPerPage: Int64 = 1_000

    /// - Parameters:
    ///   - type: the type of a page, with the members that are needed.
    ///   - each: called with each reply and the page decoded from it.
    func read<Page: ContinuablePage & Decodable>(
        as type: Page.Type, from connection: DaemonConnection,
        each: (ClientConversation.IncomingReply, Page) throws(CommandError) -> Void
    ) throws(CommandError) {
        try read(from: connection, decode: { reply throws(CommandError) in try reply.decoded(type) }, each: each)
    }

    /// - Parameters:
    ///   - decode: returns the page in a reply.
    ///   - each: called with each reply and its page.
    func read<Page: ContinuablePage>(
        from connection: DaemonConnection,
        decode: (ClientConversation.IncomingReply) throws(CommandError) -> Page,
        each: (ClientConversation.IncomingReply, Page) throws(CommandError) -> Void
    ) throws(CommandError) {
        var parameters = parameters
        parameters.limit = Self.entriesPerPage
        var call = connection.begin("List", parameters)
        while true {
            let reply = try connection.reply(to: call)
            let (current, leading) = (parameters.after, Self.leadingCursor(of: reply.parametersJSON))
            func begin(after next: String) {
                parameters.after = next
                call = connection.begin("List", parameters)
            }
            if let leading, leading != current { begin(after: leading) }
            let page = try decode(reply)
            guard let next = page.next else { return try each(reply, page) }
            guard next != current else {
                try each(reply, page)
                throw CommandError(status: .software, message: "the daemon returned the same page of the list twice")
            }
            if next != leading { begin(after: next) }
            try each(reply, page)
        }
    }

    /// Returns the cursor of the next page if the reply begins with it; the rest is not read.
    private static func leadingCursor(of parameters: ArraySlice<UInt8>) -> String? {
        var scanner = JSONScanner(parameters.span.bytes)
        do throws(JSONError) {
            try scanner.beginObject()
            guard let name = try scanner.nextName(), scanner.text(name, is: "next"), try scanner.kind() == .string
            else { return nil }
            return scanner.string(of: try scanner.string())
        } catch {
            // Decoding the page reports the error.
            return nil
        }
    }
}
