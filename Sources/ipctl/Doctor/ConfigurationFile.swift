import Control

/// The texts of an `iprecordd.toml`, as far as the doctor has a use for them.
///
/// It reads `key = "text"` below `[section]`, and `section.key = "text"` above all sections, and passes over all else: what is
/// wrong with a configuration is for `iprecordd --check` to say.
struct ConfigurationFile {
    private var texts: [String: String] = [:]
    /// Keys that stand there with what is no text.
    private var unclear: Set<String> = []
    /// Else nothing can be told of it.
    private(set) var isText = true

    init(path: String) throws(WholeFile.Unreadable) {
        let text = String(validating: try WholeFile.bytes(at: path), as: UTF8.self)
        self.init(text: text ?? "")
        isText = text != nil
    }

    init(text: String) {
        var section = ""
        let text = text.withoutByteOrderMark
        for line in text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            let content = line.trimmed
            if content.hasPrefix("[") {
                section = content.dropFirst().prefix { $0 != "]" }.trimmed + "."
            } else if let equals = content.firstIndex(of: "="), !content.hasPrefix("#") {
                let value = content[content.index(after: equals)...].trimmed
                let key = section + content[..<equals].filter { $0 != " " && $0 != "\t" && $0 != "\"" && $0 != "'" }
                guard let quote = value.first, quote == "\"" || quote == "'" else {
                    unclear.insert(key)
                    continue
                }
                texts[key] = String(value.dropFirst().prefix { $0 != quote })
            }
        }
    }

    /// Nil for a key that is not there, and where it is empty.
    subscript(section: String, key: String) -> String? {
        texts["\(section).\(key)"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether what the key says can be told: it is a text, or is not there and has its default.
    func isClear(_ section: String, _ key: String) -> Bool {
        isText && !unclear.contains("\(section).\(key)")
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
