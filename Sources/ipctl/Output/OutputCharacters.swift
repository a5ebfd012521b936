import Glibc

/// The characters of the program's own symbols: Unicode, or ASCII in a locale without UTF-8.
///
/// Records are printed unchanged in every locale, because a script needs the values of the provider.
struct OutputCharacters {
    let isASCII: Bool

    /// The characters for the locale of this process.
    static let current = OutputCharacters { name in getenv(name).map { String(cString: $0) } }

    /// - Parameter variable: returns the value of an environment variable; nil if it is not set.
    init(_ variable: (String) -> String?) {
        // The first of these variables that is set and not empty determines the encoding (locale(7)).
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(variable).first { !$0.isEmpty }
        // Without a locale, as in a service, the reader of the output usually expects UTF-8.
        let name = locale?.lowercased() ?? "c.utf-8"
        // The name of the encoding follows the language and the territory, and may be followed by a modifier.
        let encoding = name.split(separator: ".").last?.split(separator: "@").first
        isASCII = encoding != "utf-8" && encoding != "utf8"
    }

    /// Returns the text with ASCII characters in place of the program's symbols, one for one, so that columns stay
    /// aligned.
    func text(_ text: String) -> String {
        guard isASCII, text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map(Self.ascii)))
    }

    private static func ascii(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        // Braille patterns draw the coasts of the map.
        (0x2800...0x28FF).contains(scalar.value) ? "." : symbols[scalar] ?? scalar
    }

    private static let symbols: [Unicode.Scalar: Unicode.Scalar] = [
        "✓": "+", "✗": "x", "–": "-", "→": ">", "…": "~", "●": "o", "◐": "%", "◌": "?", "○": ".", "✖": "X", "★": "*",
        "━": "=", "╸": "-", "─": "-", "█": "#", "░": ".", "▏": "|", "▎": "|", "▍": "|", "▌": "|", "▋": "|", "▊": "|",
        "▉": "|", "↑": "^", "↓": "v", "\u{FFFD}": "?",
    ]
}
