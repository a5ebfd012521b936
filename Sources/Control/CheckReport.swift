/// The output of `iprecordd --check --json`: the configuration and the watch lists as the daemon reads them.
///
/// `ipctl doctor` runs this command, so that only the daemon interprets its files.
package struct CheckReport: Codable, Hashable, Sendable {
    package enum FileState: String, Codable, Sendable {
        case read
        /// There is no file, and all keys have their defaults.
        case missing
        case unreadable
    }

    /// A problem that prevents the start.
    package struct Problem: Codable, Hashable, Sendable {
        /// `section.key`, or only the section; nil for a problem with the whole file.
        package var key: String?
        /// The problem with its position, for humans.
        package var message: String

        package init(key: String?, message: String) {
            (self.key, self.message) = (key, message)
        }
    }

    /// Settings, including defaults. Keys with invalid values have their defaults.
    package struct Settings: Codable, Hashable, Sendable {
        /// In milliseconds.
        package var interval: Int64
        package var endpoint: String
        /// Empty if there is none.
        package var keyFile: String
        package var socket: String
        package var store: String
        /// The host and port of the proxy; nil if there is none, or if it is unknown.
        package var proxy: String?
        /// The choice of the proxy and its origin as a sentence; nil if nothing names a proxy, or if it is unknown.
        package var proxySentence: String?
        /// Whether the URL of the proxy contains a user name and password.
        package var proxyHasLogin: Bool?
        /// The file with the URL of the proxy; empty if there is none.
        package var proxyFile = ""

        package init(interval: Int64, endpoint: String, keyFile: String, socket: String, store: String) {
            (self.interval, self.endpoint, self.keyFile) = (interval, endpoint, keyFile)
            (self.socket, self.store) = (socket, store)
        }
    }

    /// A watch-list file.
    package struct List: Codable, Hashable, Sendable {
        package var path: String
        /// The number of valid lines with an address.
        package var addresses: Int
        /// The reason why the file cannot be read; nil if it was read.
        package var problem: String?
        package var ignoredLines: [IgnoredLine]

        package init(path: String, addresses: Int, problem: String? = nil, ignoredLines: [IgnoredLine] = []) {
            (self.path, self.addresses) = (path, addresses)
            (self.problem, self.ignoredLines) = (problem, ignoredLines)
        }
    }

    package struct IgnoredLine: Codable, Hashable, Sendable {
        /// The line, counted from 1.
        package var line: Int
        /// The column of an invalid byte, counted from 1; nil for any other reason.
        package var column: Int?
        package var reason: String

        package init(line: Int, column: Int?, reason: String) {
            (self.line, self.column, self.reason) = (line, column, reason)
        }
    }

    /// The watch-list files.
    package struct Lists: Codable, Hashable, Sendable {
        package var directory: String
        /// The reason why the directory cannot be read; nil if it was read, or does not exist.
        package var problem: String?
        package var files: [List]
        /// Visible files that are not read because their names do not end in `.list`.
        package var unreadFiles: [String]

        package init(directory: String, problem: String?, files: [List], unreadFiles: [String]) {
            (self.directory, self.problem) = (directory, problem)
            (self.files, self.unreadFiles) = (files, unreadFiles)
        }
    }

    /// The path of the configuration.
    package var configuration: String
    package var file: FileState
    /// Nil if the file cannot be read or parsed.
    package var settings: Settings?
    /// The keys that the file sets to valid values, as `section.key`, sorted.
    package var keys: [String]
    package var problems: [Problem]
    /// Requirements that could not be checked, each as text.
    package var unchecked: [String]
    /// The number of addresses in the file.
    package var configuredAddresses = 0
    /// Nil if the directory is unknown.
    package var lists: Lists?
    /// The local databases of the configuration that this user could read, or that the daemon cannot read either.
    package var databases: [Interface.Database] = []

    package init(
        configuration: String, file: FileState, settings: Settings? = nil, keys: [String] = [],
        problems: [Problem] = [], lists: Lists? = nil
    ) {
        (self.configuration, self.file, self.settings) = (configuration, file, settings)
        (self.keys, self.problems, self.unchecked, self.lists) = (keys, problems, [], lists)
    }

    /// Returns a setting, or nil if the file sets the key to an invalid value, or cannot be read or parsed.
    package func setting<Value>(_ setting: KeyPath<Settings, Value>, of key: String) -> Value? {
        let isInvalid = !keys.contains(key) && problems.contains { $0.key == key }
        return isInvalid ? nil : settings?[keyPath: setting]
    }
}
