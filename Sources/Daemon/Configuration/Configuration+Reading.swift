import IPAPI
import RecordKeeping
import TOMLKit

extension Configuration {
    /// Reads a configuration from the text of a file. Missing keys get their defaults.
    ///
    /// - Parameters:
    ///   - file: the file name for errors.
    ///   - places: the directories for the defaults.
    package init(text: String, file: String, places: Places) throws(ConfigurationError) {
        let reading = Self.read(text: text, file: file, places: places)
        if let error = reading.errors.first { throw error }
        self = reading.configuration
    }

    /// The result of reading a file.
    struct Reading {
        /// Keys with errors have their defaults.
        var configuration: Configuration
        var source: ConfigurationSource
        /// All errors, in the order of their lines; one without a key if the file is not valid TOML.
        var errors: [ConfigurationError] = []
    }

    /// Reads a configuration, and collects its errors.
    static func read(text: String, file: String, places: Places) -> Reading {
        var reading = Reading(configuration: Configuration(places: places), source: ConfigurationSource(file: file))
        let lines = ConfigurationLines(text: text)
        do {
            reading.read(try table(of: text, lines, file: file), lines, file: file)
        } catch {
            reading.errors = [error]
        }
        return reading
    }

    /// Parses a file.
    private static func table(
        of text: String, _ lines: ConfigurationLines, file: String
    ) throws(ConfigurationError) -> TOMLTable {
        if let line = lines.lineOfNUL {
            // The parser treats a NUL character as the end of the text, and would ignore the rest.
            throw ConfigurationError(file: file, line: line, key: nil, problem: "contains a NUL character")
        }
        if let line = ConfigurationLines.lineOfNamelessSection(in: text) {
            throw ConfigurationError(
                file: file, line: line, key: nil,
                problem: "invalid section name: expected only letters, digits, \"_\" and \"-\"")
        }
        if let line = ConfigurationLines.lineOfUnmatchedBrace(in: text) {
            throw ConfigurationError(
                file: file, line: line, key: nil,
                problem: "unmatched \"}\"")
        }
        do {
            return try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            let line = error.source.begin.line
            if let (key, value) = lines.bareText(inLine: line) {
                // The parser reports an invalid integer, which is misleading.
                let kind = DurationText.parse(value) == nil ? "string" : "duration"
                throw ConfigurationError(
                    file: file, line: line, key: key, problem: "a \(kind) must be in quotes: \"\(value)\"")
            }
            throw ConfigurationError(file: file, line: line, key: nil, problem: error.description)
        } catch {
            throw ConfigurationError(file: file, line: nil, key: nil, problem: "\(error)")
        }
    }

    /// An unknown key or an invalid value, without its position in the file.
    struct BadValue: Error {
        let problem: String
        init(_ problem: String) { self.problem = problem }
    }

    /// Sets one key of the configuration to a value from the file.
    typealias Reader = @Sendable (inout Configuration, any TOMLValueConvertible) throws(BadValue) -> Void

    /// The readers of all keys, by section and key. Tests require that the manual describes each of them.
    static let readers: [String: [String: Reader]] = [
        "refresh": [
            "interval": duration(\.interval, atLeast: .seconds(1))
        ],
        "provider": [
            "endpoint": text(\.endpoint) { (text) throws(ProviderError) in try Provider(endpoint: text) },
            "key-file": text(\.keyFile),
            "language": text(\.language) { (text) throws(ProviderError) in try Provider(language: text) },
            "timeout": duration(\.timeout, atLeast: .milliseconds(100)),
        ],
        "network": [
            "settle": duration(\.debounce, atLeast: .zero)
        ],
        "control": [
            "socket": path(\.socket, atMostBytes: 107),
            "admin-group": text(\.adminGroup),
        ],
        "store": [
            "path": path(\.storePath),
            "keep-history": duration(\.keepHistory, atLeast: .seconds(1)),
        ],
        "watch": [
            "addresses": { (configuration, value) throws(BadValue) in
                configuration.addresses = try addresses(value)
            },
            "directory": path(\.watchDirectory),
        ],
        "log": [
            "level": { (configuration, value) throws(BadValue) in
                let level = try text(of: value)
                guard logLevels.contains(level) else {
                    throw BadValue("\"\(level)\" is not a level; expected one of: \(logLevels.joined(separator: ", "))")
                }
                configuration.logLevel = level
            }
        ],
    ]

    /// The names of swift-log's levels.
    private static let logLevels = ["trace", "debug", "info", "notice", "warning", "error", "critical"]

    private static func text(_ key: any WritableKeyPath<Configuration, String> & Sendable) -> Reader {
        { (configuration, value) throws(BadValue) in configuration[keyPath: key] = try text(of: value) }
    }

    /// - Parameter checked: throws if the text is not valid for the provider.
    private static func text(
        _ key: any WritableKeyPath<Configuration, String> & Sendable,
        checked: @escaping @Sendable (String) throws(ProviderError) -> Provider
    ) -> Reader {
        { (configuration, value) throws(BadValue) in
            let text = try text(of: value)
            do {
                _ = try checked(text)
            } catch {
                throw BadValue("\(error)")
            }
            configuration[keyPath: key] = text
        }
    }

    /// - Parameter maximum: the maximum size in bytes; nil for no limit other than the kernel's limit for paths.
    private static func path(
        _ key: any WritableKeyPath<Configuration, String> & Sendable, atMostBytes maximum: Int? = nil
    ) -> Reader {
        { (configuration, value) throws(BadValue) in
            let path = try text(of: value)
            guard path.hasPrefix("/") else { throw BadValue("expected an absolute path, which begins with \"/\"") }
            if let maximum, path.utf8.count > maximum {
                throw BadValue("a socket path has at most \(maximum) bytes (unix(7)); this one has \(path.utf8.count)")
            }
            configuration[keyPath: key] = path
        }
    }

    private static func duration(
        _ key: any WritableKeyPath<Configuration, Duration> & Sendable, atLeast minimum: Duration
    ) -> Reader {
        { (configuration, value) throws(BadValue) in
            let text = try text(of: value)
            guard let duration = DurationText.parse(text) else {
                throw BadValue("\"\(text)\" is not a duration; expected a number with ms, s, m, h or d, such as \"5m\"")
            }
            guard duration >= minimum else { throw BadValue("\"\(text)\" is too short; the minimum is \(minimum)") }
            configuration[keyPath: key] = duration
        }
    }

    private static func text(of value: any TOMLValueConvertible) throws(BadValue) -> String {
        guard let text = value.string else { throw BadValue("expected a string in quotes") }
        return text
    }

    private static func addresses(_ value: any TOMLValueConvertible) throws(BadValue) -> [IPAddress] {
        guard let array = value.array else {
            throw BadValue("expected a list, such as [\"192.0.2.1\", \"2001:db8::1\"]")
        }
        var addresses: [IPAddress] = []
        for element in array {
            let text = try text(of: element)
            do {
                addresses.append(try IPAddress(text))
            } catch {
                throw BadValue("\"\(text)\" is not an IP address: \(error)")
            }
        }
        return addresses
    }
}

extension Configuration.Reading {
    fileprivate mutating func read(_ table: TOMLTable, _ lines: ConfigurationLines, file: String) {
        for section in table.keys.sorted() {
            func fail(_ problem: String) {
                errors.append(
                    ConfigurationError(
                        file: file, line: lines.line(ofSection: section), key: section, problem: problem))
            }
            guard let readers = Configuration.readers[section] else {
                fail("unknown section; expected one of: \(Configuration.readers.keys.sorted().joined(separator: ", "))")
                continue
            }
            guard let values = table[section]?.table else {
                fail("expected a section: write [\(section)] on a separate line, with its keys below")
                continue
            }
            for key in values.keys.sorted() {
                guard let value = values[key] else { continue }
                let (name, line) = ("\(section).\(key)", lines.line(ofKey: key, inSection: section))
                do throws(Configuration.BadValue) {
                    guard let reader = readers[key] else {
                        let known = readers.keys.sorted().joined(separator: ", ")
                        throw Configuration.BadValue("unknown key; expected one of: \(known)")
                    }
                    try reader(&configuration, value)
                    source.add(key: name, line: line)
                } catch {
                    errors.append(ConfigurationError(file: file, line: line, key: name, problem: error.problem))
                }
            }
        }
        errors.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    }
}
