import Control
import Files

/// The string values in an `iprecordd.toml` that the doctor needs.
///
/// It reads `key = "text"` in a `[section]`, and `section.key = "text"` before all sections, and ignores everything
/// else: `iprecordd --check` reports errors in a configuration.
struct ConfigurationFile {
    private var values: [String: String] = [:]
    /// The keys with values that are not strings.
    private var nonStringKeys: Set<String> = []
    /// Whether the file is valid UTF-8.
    private(set) var isUTF8 = true

    init(path: String) throws(WholeFile.Unreadable) {
        let text = String(validating: try WholeFile.bytes(at: path, pipes: .readWithoutWaiting), as: UTF8.self)
        self.init(text: text ?? "")
        isUTF8 = text != nil
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
                    nonStringKeys.insert(key)
                    continue
                }
                values[key] = String(value.dropFirst().prefix { $0 != quote })
            }
        }
    }

    /// The value of a key; nil if it is missing or empty.
    subscript(section: String, key: String) -> String? {
        values["\(section).\(key)"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Whether the value of a key is known: it is a string, or the key is missing and has its default.
    func isKnown(_ section: String, _ key: String) -> Bool {
        isUTF8 && !nonStringKeys.contains("\(section).\(key)")
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
