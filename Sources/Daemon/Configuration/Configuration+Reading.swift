import IPAPI
import Logging
import RecordKeeping
import TOMLKit

extension Configuration {
    /// The result of reading a file.
    package struct Reading {
        /// Keys with errors have their default values.
        var configuration: Configuration
        var source: ConfigurationSource
        /// All errors, in the order of their lines; a single error without a key if the file is not valid TOML.
        package var errors: [ConfigurationError] = []
    }

    /// Reads a configuration from the text of a file. Missing keys get their defaults.
    ///
    /// - Parameters:
    ///   - file: the file name for errors.
    ///   - places: the directories for the defaults.
    package static func read(text: String, file: String, places: Places) -> Reading {
        var reading = Reading(configuration: Configuration(places: places), source: ConfigurationSource(file: file))
        let lines = ConfigurationLines(text: text)
        do {
            reading.read(try table(of: text, lines, file: file), lines, file: file)
            reading.checkKind()
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
            throw ConfigurationError(file: file, line: line, problem: "contains a NUL character")
        }
        if let line = ConfigurationLines.lineOfNamelessSection(in: text) {
            throw ConfigurationError(
                file: file, line: line,
                problem: "invalid section name: expected only letters, digits, \"_\" and \"-\"")
        }
        if let line = ConfigurationLines.lineOfUnmatchedBrace(in: text) {
            throw ConfigurationError(file: file, line: line, problem: "unmatched \"}\"")
        }
        do {
            return try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            let line = error.source.begin.line
            if let (key, value) = lines.bareTexts[line] {
                // The parser reports an invalid integer, which is misleading.
                let kind = DurationText.parse(value) == nil ? "string" : "duration"
                // The URL of a proxy may contain a password, even if it has no "@" because it is mistyped.
                let quoted = key.contains("prox") || value.contains("@") ? "" : ": \"\(value)\""
                throw ConfigurationError(
                    file: file, line: line, key: key, problem: "a \(kind) must be in quotes\(quoted)")
            }
            throw ConfigurationError(file: file, line: line, problem: error.description)
        } catch {
            throw ConfigurationError(file: file, problem: "\(error)")
        }
    }

    /// An unknown key or an invalid value, without its position in the file.
    struct BadValue: Error {
        let problem: String
        init(_ problem: String) { self.problem = problem }
    }

    // MARK: Keys

    /// Returns the names of the keys whose values differ and are applied only at startup, as `section.key`.
    package func keysRequiringRestart(comparedTo started: Configuration) -> [String] {
        Self.startKeys.filter { $0.differs(self, started) }.map(\.name)
    }

    /// Reads a value of the file.
    typealias Parser<Value> = @Sendable (any TOMLValueConvertible) throws(BadValue) -> Value

    /// A key of the file.
    struct Key: Sendable {
        /// `section.key`.
        let name: String
        /// Sets the key of a configuration to a value from the file.
        let set: @Sendable (inout Configuration, any TOMLValueConvertible) throws(BadValue) -> Void
        /// Whether two configurations have different values.
        let differs: @Sendable (Configuration, Configuration) -> Bool

        init<Value: Equatable & Sendable>(
            _ name: String, _ property: any WritableKeyPath<Configuration, Value> & Sendable,
            _ parse: @escaping Parser<Value>
        ) {
            self.name = name
            set = { (configuration, value) throws(BadValue) in configuration[keyPath: property] = try parse(value) }
            differs = { $0[keyPath: property] != $1[keyPath: property] }
        }
    }

    static let keys = [
        Key("refresh.interval", \.interval, duration(atLeast: .seconds(1))),
        Key("provider.kind", \.kind) { (value) throws(BadValue) in try kind(try text(value)) },
        Key("provider.endpoint", \.endpoint, checkedText { try Provider(endpoint: $0) }),
        Key("provider.key-file", \.keyFile, text),
        Key("provider.proxy", \.proxy, proxy),
        Key("provider.proxy-file", \.proxyFile, proxyFile),
        Key("provider.language", \.language, checkedText { try Provider(language: $0) }),
        Key("provider.timeout", \.timeout, duration(atLeast: .milliseconds(100))),
        Key("network.settle", \.debounce, duration(atLeast: .zero)),
        Key("control.socket", \.socket, path(atMostBytes: 107)),
        Key("control.admin-group", \.adminGroup, text),
        Key("store.path", \.storePath, path()),
        Key("store.keep-history", \.keepHistory, duration(atLeast: .seconds(1))),
        Key("store.backups", \.backups, number(0...1_000)),
        Key("alerts.fields", \.alertFields, fields),
        Key("watch.addresses", \.addresses, addresses),
        Key("watch.directory", \.watchDirectory, path()),
        Key("offline.databases", \.databases, databases),
        Key("log.level", \.logLevel, logLevel),
    ]

    /// The keys by section and by name without the section. Tests require that the manual describes each key.
    static let sections = keys.reduce(into: [String: [String: Key]]()) { sections, key in
        let parts = key.name.split(separator: ".").map(String.init)
        sections[parts[0], default: [:]][parts[1]] = key
    }

    /// All keys except those of `[watch]` and `[offline]`, which a reload applies.
    static var startKeys: [Key] { keys.filter { !$0.name.hasPrefix("watch.") && !$0.name.hasPrefix("offline.") } }

    // MARK: Values

    private static func text(_ value: any TOMLValueConvertible) throws(BadValue) -> String {
        guard let text = value.string else { throw BadValue("expected a string in quotes") }
        return text
    }

    /// - Parameter check: throws if the text is not valid for the provider.
    private static func checkedText(_ check: @escaping @Sendable (String) throws -> Provider) -> Parser<String> {
        { (value) throws(BadValue) in
            let text = try text(value)
            do {
                _ = try check(text)
            } catch {
                throw BadValue("\(error)")
            }
            return text
        }
    }

    /// Reads the URL of a proxy. The error does not quote it, because it may contain a password.
    private static func proxy(_ value: any TOMLValueConvertible) throws(BadValue) -> ProxySetting {
        let text = try text(value)
        if text.isEmpty { return .unset }
        if text == "none" { return .direct }
        do {
            return .proxy(try HTTPProxy(text))
        } catch {
            throw BadValue("\(error)")
        }
    }

    /// Reads the path of the file with the URL of a proxy. Errors quote this path, so it must not be the URL.
    private static func proxyFile(_ value: any TOMLValueConvertible) throws(BadValue) -> String {
        let path = try text(value)
        guard !path.contains("://"), path.hasPrefix("/") || !path.contains("@") else {
            throw BadValue("expected the path of a file that contains the URL; use proxy for the URL itself")
        }
        return path
    }

    /// - Parameter maximum: the maximum size in bytes; nil for no limit other than the kernel's limit for paths.
    private static func path(atMostBytes maximum: Int? = nil) -> Parser<String> {
        { (value) throws(BadValue) in
            let path = try text(value)
            guard path.hasPrefix("/") else { throw BadValue("expected an absolute path, which begins with \"/\"") }
            if let maximum, path.utf8.count > maximum {
                throw BadValue("a socket path has at most \(maximum) bytes (unix(7)); this one has \(path.utf8.count)")
            }
            return path
        }
    }

    private static func duration(atLeast minimum: Duration) -> Parser<Duration> {
        { (value) throws(BadValue) in
            let text = try text(value)
            guard let duration = DurationText.parse(text) else {
                throw BadValue("\"\(text)\" is not a duration; expected a number with ms, s, m, h or d, such as \"5m\"")
            }
            guard duration >= minimum else { throw BadValue("\"\(text)\" is too short; the minimum is \(minimum)") }
            return duration
        }
    }

    private static func number(_ range: ClosedRange<Int>) -> Parser<Int> {
        { (value) throws(BadValue) in
            guard let number = value.int, range.contains(number) else {
                throw BadValue(
                    "expected a whole number from \(range.lowerBound) to \(range.upperBound), without quotes")
            }
            return number
        }
    }

    private static func addresses(_ value: any TOMLValueConvertible) throws(BadValue) -> [IPAddress] {
        guard let array = value.array else {
            throw BadValue("expected a list, such as [\"192.0.2.1\", \"2001:db8::1\"]")
        }
        var addresses: [IPAddress] = []
        for element in array {
            let text = try text(element)
            do {
                addresses.append(try IPAddress(text))
            } catch {
                throw BadValue("\"\(text)\" is not an IP address: \(error)")
            }
        }
        return addresses
    }

    /// Reads the paths of local databases.
    private static func databases(_ value: any TOMLValueConvertible) throws(BadValue) -> [String] {
        guard let array = value.array else {
            throw BadValue("expected a list, such as [\"/usr/share/GeoIP/GeoLite2-City.mmdb\"]")
        }
        let readPath = path()
        return try checkedDatabases(array.map { (element) throws(BadValue) in try readPath(element) })
    }

    /// Reads the names of fields of a record, as `ipctl --json` prints them.
    private static func fields(_ value: any TOMLValueConvertible) throws(BadValue) -> [Record.Field] {
        guard let array = value.array else { throw BadValue("expected a list, such as [\"country\", \"city\"]") }
        var fields: [Record.Field] = []
        for element in array {
            let name = try text(element)
            guard let field = Record.Field(rawValue: name) else {
                let known = Record.Field.allCases.map(\.rawValue).joined(separator: ", ")
                throw BadValue("\"\(name)\" is not a field of a record; expected any of: \(known)")
            }
            fields.append(field)
        }
        return fields
    }

    /// Reads the name of one of swift-log's levels.
    private static func logLevel(_ value: any TOMLValueConvertible) throws(BadValue) -> String {
        let level = try text(value)
        guard Logger.Level(rawValue: level) != nil else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw BadValue("\"\(level)\" is not a level; expected one of: \(levels)")
        }
        return level
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
            guard let keys = Configuration.sections[section] else {
                let known = Configuration.sections.keys.sorted().joined(separator: ", ")
                fail("unknown section; expected one of: \(known)")
                continue
            }
            guard let values = table[section]?.table else {
                fail("expected a section: write [\(section)] on a separate line, with its keys below")
                continue
            }
            for name in values.keys.sorted() {
                guard let value = values[name] else { continue }
                let line = lines.line(ofKey: name, inSection: section)
                do throws(Configuration.BadValue) {
                    guard let key = keys[name] else {
                        let known = keys.keys.sorted().joined(separator: ", ")
                        throw Configuration.BadValue("unknown key; expected one of: \(known)")
                    }
                    try key.set(&configuration, value)
                    source.add(key: "\(section).\(name)", line: line)
                } catch {
                    errors.append(
                        ConfigurationError(file: file, line: line, key: "\(section).\(name)", problem: error.problem))
                }
            }
        }
        errors.sort { ($0.line ?? 0) < ($1.line ?? 0) }
    }
}
