/// In which lines of a TOML text the sections and keys stand, for errors: the parser keeps no positions of values.
struct ConfigurationLines {
    private var sections: [String: Int] = [:]
    private var keys: [String: Int] = [:]

    init(text: String) {
        var section = ""
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = line.drop { $0 == " " || $0 == "\t" }
            if content.hasPrefix("[") {
                section = Self.bare(content.dropFirst().prefix { $0 != "]" })
                sections[section] = sections[section] ?? index + 1
            } else if let equals = content.firstIndex(of: "="), !content.hasPrefix("#") {
                let key = Self.bare(content[..<equals])
                let whole = section.isEmpty ? key : "\(section).\(key)"
                keys[whole] = keys[whole] ?? index + 1
            }
        }
    }

    func line(ofSection section: String) -> Int? {
        sections[section] ?? keys[section] ?? keys.filter { $0.key.hasPrefix(section + ".") }.values.min()
    }

    func line(ofKey key: String, inSection section: String) -> Int? {
        keys["\(section).\(key)"] ?? line(ofSection: section)
    }

    private static func bare(_ text: Substring) -> String {
        String(text.filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" })
    }
}
