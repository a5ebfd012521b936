/// The file that a configuration was read from and the keys that it sets, for errors that are found after parsing.
package struct ConfigurationSource: Hashable, Sendable {
    /// The name of the file; nil if there is no file and every key has its default.
    let file: String?
    /// The keys that the file sets, as `section.key`, each with its line if that is known.
    private(set) var lines: [String: Int?] = [:]

    /// Records that the file sets a key.
    mutating func add(key: String, line: Int?) {
        lines[key] = .some(line)
    }

    /// Whether the file sets a key; otherwise the key has its default.
    func sets(_ key: String) -> Bool {
        lines[key] != nil
    }

    /// The keys that the file sets, as `section.key`, sorted.
    var keys: [String] { lines.keys.sorted() }

    /// Returns an error that names the file, and the line if the file sets the key.
    func error(in key: String, _ problem: String) -> ConfigurationError {
        ConfigurationError(
            file: file ?? "the default configuration", line: lines[key] ?? nil, key: key, problem: problem)
    }
}
