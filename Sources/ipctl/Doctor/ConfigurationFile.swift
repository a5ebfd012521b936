/// The texts of an `iprecordd.toml`, as far as the doctor has a use for them.
///
/// It reads `key = "text"` below `[section]`, and `section.key = "text"` above all sections, and passes over all else: what is
/// wrong with a configuration is for `iprecordd --check` to say.
struct ConfigurationFile {
    private var texts: [String: String] = [:]

    init(path: String) throws(WholeFile.Unreadable) {
        self.init(text: String(decoding: try WholeFile.bytes(at: path), as: UTF8.self))
    }

    init(text: String) {
        var section = ""
        for line in text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            let content = line.trimmed
            if content.hasPrefix("[") {
                section = content.dropFirst().prefix { $0 != "]" }.trimmed + "."
            } else if let equals = content.firstIndex(of: "="), !content.hasPrefix("#") {
                let value = content[content.index(after: equals)...].trimmed
                guard let quote = value.first, quote == "\"" || quote == "'" else { continue }
                let key = section + content[..<equals].filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" }
                texts[key] = String(value.dropFirst().prefix { $0 != quote })
            }
        }
    }

    /// Nil for a key that is not there, and where it is empty.
    subscript(section: String, key: String) -> String? {
        texts["\(section).\(key)"].flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
