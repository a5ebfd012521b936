package import RecordKeeping
import Varlink

/// The watch list, a page at a time.
package enum List {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = [
            "search", "state", "tag", "pinned", "changedSince", "after", "limit",
        ]

        /// Matched without regard to case in the address, its CIDR block, the tags, the note and every text of the record.
        package var search: String?
        /// One of `EntryState`'s names.
        package var state: String?
        package var tag: String?
        package var pinned: Bool?
        /// Unix milliseconds: only entries whose record has changed since.
        package var changedSince: Int64?
        /// `next` of the page before.
        package var after: String?
        /// Entries a page, at least 1; the daemon takes `defaultLimit` where it is left out, and no more than
        /// `Limits.entriesPerPage`.
        package var limit: Int64?

        package init(
            search: String? = nil, state: String? = nil, tag: String? = nil, pinned: Bool? = nil,
            changedSince: Int64? = nil, after: String? = nil, limit: Int64? = nil
        ) {
            self.search = search
            self.state = state
            self.tag = tag
            self.pinned = pinned
            self.changedSince = changedSince
            self.after = after
            self.limit = limit
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var entries: [Interface.Entry]
        /// Goes into `after` for the page that follows; nil on the last page.
        package var next: String?
        /// How many entries match, on all pages together.
        package var total: Int

        package init(_ page: ListPage) {
            self.init(
                entries: page.entries.map { Interface.Entry($0) }, next: page.next?.description, total: page.total)
        }

        package init(entries: [Interface.Entry], next: String?, total: Int) {
            self.entries = entries
            self.next = next
            self.total = total
        }
    }

    /// A page where the client does not say.
    package static let defaultLimit = 100
}
