import Control
import RecordKeeping
import Varlink

/// Words of the watch list, for a person who presses a key and does not want to wait.
///
/// Where no daemon answers in time there are none, and nothing is said of it: this is no place for complaints.
struct WatchedWords {
    private let line: CompletionLine
    private let entries: [Entry]

    /// What is needed of an entry.
    private struct Entry: Decodable {
        var address: String
        var tags: [String]
    }

    private struct Page: Decodable {
        var entries: [Entry]
    }

    /// More than anybody looks through, and asked for, sent and read in some hundredths of a second.
    private static let entriesPerPage: Int64 = 1_000
    /// Longer, and the shell seems to hang.
    private static let patience = Duration.milliseconds(500)

    init(_ line: CompletionLine) {
        self.line = line
        entries = line.begun.hasPrefix("-") ? [] : Self.entries(like: line.begun, at: SocketPath(option: line.socket))
    }

    /// In the list's order.
    var addresses: [String] { entries.map(\.address) }

    var tags: [String] {
        Set(entries.flatMap(\.tags)).sorted()
    }

    private static func entries(like begun: String, at socket: SocketPath) -> [Entry] {
        let search = block(of: begun) ?? (begun.isEmpty ? nil : begun)
        do {
            let connection = try Connection(path: socket.path, patience: patience)
            let reply = try connection.call("List", Control.List.Parameters(search: search, limit: entriesPerPage))
            return try reply.decoded(Page.self).entries
        } catch {
            return []
        }
    }

    /// The block that every address lies in that begins so: 10.1.0.0/16 for "10.1.2", 2001:db8::/32 for "2001:db8:1".
    ///
    /// A list may be longer than a page; all that lies in a block is more to the point than what has these characters anywhere.
    ///
    /// - Returns: nil where no part of an address is whole yet.
    static func block(of begun: String) -> String? {
        let isV6 = begun.contains(":")
        let parts = begun.split(separator: isV6 ? ":" : ".", omittingEmptySubsequences: false).dropLast()
        // What follows "::" is at no place that is known yet.
        let whole = parts.prefix { !$0.isEmpty }
        guard !whole.isEmpty else { return nil }
        if isV6 {
            guard whole.count < 8, whole.allSatisfy({ UInt16($0, radix: 16) != nil }) else { return nil }
            return "\(whole.joined(separator: ":"))::/\(whole.count * 16)"
        }
        guard whole.count < 4, whole.allSatisfy({ UInt8($0) != nil }) else { return nil }
        let rest = Array(repeating: "0", count: 4 - whole.count)
        return (whole.map(String.init) + rest).joined(separator: ".") + "/\(whole.count * 8)"
    }
}
