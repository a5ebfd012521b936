import Control

/// The lines of the sections and keys in a TOML text, for errors: the parser does not record the positions of values.
struct ConfigurationLines {
    private var sections: [String: Int] = [:]
    private var keys: [String: Int] = [:]
    /// Keys and values of lines whose value lacks quotation marks, by line.
    private(set) var bareTexts: [Int: (key: String, value: String)] = [:]
    /// The line of the first NUL character, counted from 1; nil if there is none.
    private(set) var lineOfNUL: Int?

    init(text: String) {
        var section = ""
        // "\r\n" is a single `Character`, which does not equal "\n".
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            if lineOfNUL == nil, line.utf8.contains(0) { lineOfNUL = index + 1 }
            let content = line.drop { $0 == " " || $0 == "\t" }
            if content.hasPrefix("[") {
                section = Self.bare(content.drop { $0 == "[" }.prefix { $0 != "]" })
                sections[section] = sections[section] ?? index + 1
            } else if let equals = content.firstIndex(of: "="), !content.hasPrefix("#") {
                let key = Self.bare(content[..<equals])
                let whole = section.isEmpty ? key : "\(section).\(key)"
                keys[whole] = keys[whole] ?? index + 1
                let value = content[content.index(after: equals)...].prefix { $0 != "#" }
                if let value = Self.bareText(value) { bareTexts[index + 1] = (whole, value) }
            }
        }
    }

    /// Returns the line of a section's header, or of its first key if there is no header; nil if neither is found.
    func line(ofSection section: String) -> Int? {
        sections[section] ?? keys[section] ?? keys.filter { $0.key.hasPrefix(section + ".") }.values.min()
    }

    /// Returns the line of a key, or the line of its section if the key is not found.
    func line(ofKey key: String, inSection section: String) -> Int? {
        keys["\(section).\(key)"] ?? sections["\(section).\(key)"] ?? line(ofSection: section)
    }

    /// Returns the first line with a section header that lacks a valid name; nil if there is none.
    ///
    /// The parser aborts the process if the bracket is not followed by the beginning of a name.
    static func lineOfNamelessSection(in text: String) -> Int? {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        // The lines are split as bytes, because a bracket with a combining accent is a `Character` other than "[".
        let lines = text.withoutByteOrderMark.utf8.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let index = lines.firstIndex { line in
            var rest = line.drop(while: isBlank)
            guard rest.first == UInt8(ascii: "[") else { return false }
            rest = rest.dropFirst().drop(while: isBlank)
            if rest.first == UInt8(ascii: "[") { rest = rest.dropFirst().drop(while: isBlank) }
            guard let first = rest.first else { return true }
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
            return !isLetter && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
                && !#"_-"'] "#.utf8.contains(first)
        }
        return index.map { $0 + 1 }
    }

    private static func bareText(_ text: Substring) -> String? {
        let value = String(text.filter { $0 != "\r" }).trimmingPrefix { $0 == " " || $0 == "\t" }
        let word = value.prefix { $0 != " " && $0 != "\t" }
        guard let first = word.first, !"\"'[{".contains(first) else { return nil }
        guard word != "true", word != "false", Double(word) == nil else { return nil }
        return String(word)
    }

    private static func bare(_ text: Substring) -> String {
        String(text.filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" })
    }
}
