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
        self = try Self.read(text: text, file: file, places: places).configuration
    }

    /// Reads a configuration as `init(text:file:places:)` does, and also returns the positions of its keys.
    static func read(text: String, file: String, places: Places) throws(ConfigurationError) -> (
        configuration: Configuration, source: ConfigurationSource
    ) {
        var configuration = Configuration(places: places)
        var source = ConfigurationSource(file: file)
        let lines = ConfigurationLines(text: text)
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
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
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
        for section in table.keys.sorted() {
            guard let keys = readers[section] else {
                let known = readers.keys.sorted().joined(separator: ", ")
                throw ConfigurationError(
                    file: file, line: lines.line(ofSection: section), key: section,
                    problem: "unknown section; expected one of: \(known)")
            }
            guard let values = table[section]?.table else {
                throw ConfigurationError(
                    file: file, line: lines.line(ofSection: section), key: section,
                    problem: "expected a section: write [\(section)] on a separate line, with its keys below")
            }
            for key in values.keys.sorted() {
                guard let value = values[key] else { continue }
                do throws(BadValue) {
                    guard let reader = keys[key] else {
                        let known = keys.keys.sorted().joined(separator: ", ")
                        throw BadValue("unknown key; expected one of: \(known)")
                    }
                    try reader(&configuration, value)
                    source.add(key: "\(section).\(key)", line: lines.line(ofKey: key, inSection: section))
                } catch {
                    throw ConfigurationError(
                        file: file, line: lines.line(ofKey: key, inSection: section), key: "\(section).\(key)",
                        problem: error.problem)
                }
            }
        }
        return (configuration, source)
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
                throw BadValue("a socket path has at most \(maximum) bytes (unix(7)), this one has \(path.utf8.count)")
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
