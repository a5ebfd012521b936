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
        try read(from: connection) { call, begin throws(CommandError) -> (ClientConversation.IncomingReply, Page) in
            let reply = try connection.reply(to: call)
            if let next = Self.leadingCursor(of: reply.parametersJSON) { begin(next) }
            return (reply, try reply.decoded(type))
        } each: { received throws(CommandError) in
            try each(received.0, received.1)
        } next: {
            $0.1.next
        }
    }

    /// Reads pages without decoding them first.
    ///
    /// - Parameters:
    ///   - scan: reads a page from the parameters of a reply, and calls its argument with the cursor of the next page.
    ///   - each: called with each page.
    func read<Page: ContinuablePage>(
        from connection: DaemonConnection,
        scan: (inout JSONScanner, _ begin: (String) -> Void) throws(CommandError) -> Page,
        each: (Page) throws(CommandError) -> Void
    ) throws(CommandError) {
        try read(from: connection) { call, begin throws(CommandError) -> Page in
            var page: Result<Page, CommandError>?
            do throws(CommandError) {
                _ = try connection.reply(to: call) { scanner in
                    do throws(CommandError) {
                        page = .success(try scan(&scanner, begin))
                    } catch {
                        page = .failure(error)
                        throw error
                    }
                }
            } catch {
                if case .failure(let failure)? = page { throw failure }
                throw error
            }
            // A reply without parameters is not a page.
            guard let page else { throw .unreadableReply }
            return try page.get()
        } each: { page throws(CommandError) in
            try each(page)
        } next: {
            $0.next
        }
    }

    /// - Parameters:
    ///   - receive: returns the reply to a call, and calls its second argument with the cursor of the next page if it
    ///     finds the cursor before it has read the whole page.
    ///   - each: called with each reply, while the daemon prepares the next one.
    ///   - next: returns the cursor of the page after the one in a reply; nil if there is none.
    private func read<Received>(
        from connection: DaemonConnection,
        receive: (PendingCall, _ begin: @escaping (String) -> Void) throws(CommandError) -> Received,
        each: (Received) throws(CommandError) -> Void, next: (Received) -> String?
    ) throws(CommandError) {
        var parameters = parameters
        parameters.limit = Self.entriesPerPage
        var call = connection.begin("List", parameters)
        while true {
            let current = parameters.after
            func begin(after cursor: String) {
                guard cursor != parameters.after else { return }
                parameters.after = cursor
                call = connection.begin("List", parameters)
            }
            let received = try receive(call, begin)
            guard let cursor = next(received) else { return try each(received) }
            guard cursor != current else {
                try each(received)
                throw CommandError(status: .software, message: "the daemon returned the same page of the list twice")
            }
            begin(after: cursor)
            try each(received)
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
