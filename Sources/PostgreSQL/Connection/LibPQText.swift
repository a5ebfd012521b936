/// A text of libpq about a failed connection.
///
/// libpq does not return the code of an error that a server sends while a connection is established. In the verbose
/// form, the text contains it: `FATAL:  28P01: password authentication failed`.
struct LibPQText: Hashable, Sendable {
    /// The text in one line, without source locations.
    let line: String
    /// The code of the last server's error.
    let state: SQLState?

    init(_ text: String) {
        let lines = text.split(separator: "\n").map { Self.trimmed($0) }
        line = lines.filter { !$0.hasPrefix("LOCATION:") && !$0.isEmpty }.joined(separator: "; ")
        state = lines.compactMap(Self.state).last
    }

    /// The code follows the severity, which may be translated, and two spaces.
    private static func state(in line: Substring) -> SQLState? {
        let bytes = Array(line.utf8)
        for index in bytes.indices.dropLast(9) where bytes[index...].starts(with: ":  ".utf8) {
            guard bytes[index + 8] == UInt8(ascii: ":") else { continue }
            if let state = SQLState(String(decoding: bytes[index + 3..<index + 8], as: UTF8.self)) { return state }
        }
        return nil
    }

    private static func trimmed(_ line: Substring) -> Substring {
        var line = line.drop { $0.isWhitespace }
        while line.last?.isWhitespace == true { line.removeLast() }
        return line
    }

    /// Returns an error of PQconninfoParse without its quotations, which may contain a part of a misplaced password.
    static func withoutQuotations(_ text: String) -> String {
        let parts = trimmed(text[...]).split(separator: "\"", omittingEmptySubsequences: false)
        // Other languages have other quotation marks, and a quotation may contain one.
        guard parts.count <= 3, text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return "expected postgresql://USER@HOST/NAME"
        }
        return parts.enumerated().map { $0 % 2 == 0 ? String($1) : "…" }.joined(separator: "\"")
    }
}
