import Glibc

/// The texts of an `iprecordd.toml`, as far as the doctor has a use for them.
///
/// It reads `key = "text"` below `[section]`, and passes over all else: what is wrong with a configuration is for
/// `iprecordd --check` to say.
struct ConfigurationFile {
    private var texts: [String: String] = [:]

    /// - Returns: nil where the file cannot be read, with why in `errno`.
    init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
            } else if count == 0 {
                break
            } else if errno != EINTR {
                return nil
            }
        }
        self.init(text: String(decoding: bytes, as: UTF8.self))
    }

    init(text: String) {
        var section = ""
        for line in text.split(whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            let content = line.trimmed
            if content.hasPrefix("[") {
                section = String(content.dropFirst().prefix { $0 != "]" }.trimmed)
            } else if let equals = content.firstIndex(of: "="), !content.hasPrefix("#") {
                let value = content[content.index(after: equals)...].trimmed
                guard let quote = value.first, quote == "\"" || quote == "'" else { continue }
                texts["\(section).\(content[..<equals].trimmed)"] = String(value.dropFirst().prefix { $0 != quote })
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
