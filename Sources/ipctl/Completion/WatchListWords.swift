import Control
import RecordKeeping
import Varlink

/// Completions from the watch list, fetched within a short time limit.
///
/// If the daemon does not reply in time, there are no completions, and no error is reported.
struct WatchListWords {
    private let line: CompletionLine
    private let entries: [Entry]

    /// The members of an entry that completion needs.
    private struct Entry: Decodable {
        var address: String
        var tags: [String]
    }

    private struct Page: Decodable {
        var entries: [Entry]
    }

    /// Entries per page: more than a user would read, and few enough to fetch within hundredths of a second.
    private static let entriesPerPage: Int64 = 1_000
    /// The time limit for the daemon. With a longer limit, the shell would seem to hang.
    private static let timeout = Duration.milliseconds(500)

    init(_ line: CompletionLine) {
        self.line = line
        entries =
            line.typedPrefix.hasPrefix("-")
            ? [] : Self.entries(like: line.typedPrefix, at: SocketPath(option: line.socket))
    }

    /// The addresses in the order of the list. Text that is not an address is dropped, because a shell prints the
    /// suggestions unchanged.
    var addresses: [String] { entries.map(\.address).filter { (try? IPAddress($0)) != nil } }

    var tags: [String] {
        Set(entries.flatMap(\.tags)).filter(LabelText.isTag).sorted()
    }

    /// The country codes of records, those of the most entries first.
    static func countryCodes(at socket: SocketPath) -> [String] {
        do {
            let connection = try DaemonConnection(path: socket.path, limits: TimeLimits(silence: timeout))
            let reply = try connection.call("Count", Control.Count.Parameters(by: "countryCode"))
            return try reply.decoded(Control.Count.Reply.self).groups.map(\.key)
                .filter { $0.allSatisfy { $0.isASCII && $0.isLetter } && !$0.isEmpty }
        } catch {
            return []
        }
    }

    /// The watched host names, in order. Text that is not a name is dropped, because a shell prints the suggestions
    /// unchanged.
    static func hostNames(at socket: SocketPath) -> [String] {
        do {
            let connection = try DaemonConnection(path: socket.path, limits: TimeLimits(silence: timeout))
            let reply = try connection.call("Names", Control.Names.Parameters())
            return try reply.decoded(Control.Names.Reply.self).names.map(\.name).filter { (try? HostName($0)) != nil }
        } catch {
            return []
        }
    }

    private static func entries(like typedPrefix: String, at socket: SocketPath) -> [Entry] {
        let search = block(of: typedPrefix) ?? (typedPrefix.isEmpty ? nil : typedPrefix)
        do {
            let connection = try DaemonConnection(path: socket.path, limits: TimeLimits(silence: timeout))
            let reply = try connection.call("List", Control.List.Parameters(search: search, limit: entriesPerPage))
            return try reply.decoded(Page.self).entries
        } catch {
            return []
        }
    }

    /// Returns the block of all addresses with a prefix: 10.1.0.0/16 for "10.1.2", 2001:db8::/32 for "2001:db8:1".
    ///
    /// A list may be longer than a page, and a text search would also match the characters elsewhere in an entry.
    ///
    /// - Returns: nil if no part of an address is complete yet.
    static func block(of typedPrefix: String) -> String? {
        let isV6 = typedPrefix.contains(":")
        let parts = typedPrefix.split(separator: isV6 ? ":" : ".", omittingEmptySubsequences: false).dropLast()
        // The position of the parts after "::" is not known yet.
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
