import Control
import Files
import Foundation
import Glibc
import RecordKeeping
import RecordStore

/// The configuration that the daemon starts with, and its origin.
package struct Setup: Sendable {
    package let configuration: Configuration
    /// The positions of the configuration's keys.
    let source: ConfigurationSource
    /// The directories of an ordinary user, which the daemon creates if they are missing. Nil for the directories of
    /// the system, which the package and the service manager create.
    package let userDirectories: Places?
    /// The argument of --config; nil for the default path.
    private let configurationFile: String?
    /// The path of the configuration, whether it exists or not.
    let configurationPath: String
    /// Whether the system service reads this configuration.
    let isOfService: Bool

    /// A reason why there is no configuration to read.
    package enum Problem: Error, CustomStringConvertible {
        case unreadable(path: String, reason: String)
        /// The environment does not determine the user's directories.
        case noUserDirectories

        package var description: String {
            switch self {
            case .unreadable(let path, let reason):
                "cannot read the configuration \(path): \(reason)"
            case .noUserDirectories:
                "cannot determine the user's directories; set XDG_RUNTIME_DIR and HOME, or use --config"
            }
        }
    }
}

extension Setup {
    /// - Parameters:
    ///   - configurationFile: the argument of --config; nil for the default path.
    ///   - isRoot: whether the default directories are those of the system.
    /// - Throws: `UnmetRequirements` with all errors in the configuration, or a `Problem`.
    package init(configurationFile: String?, isRoot: Bool = geteuid() == 0) throws {
        let (setup, errors) = try Self.read(configurationFile: configurationFile, isRoot: isRoot)
        guard errors.isEmpty else { throw UnmetRequirements(violations: errors) }
        self = setup
    }

    /// Reads the configuration; keys with errors have their defaults.
    static func read(
        configurationFile: String?, isRoot: Bool
    ) throws(Problem) -> (setup: Setup, errors: [ConfigurationError]) {
        let (reading, path, userDirectories) = try current(configurationFile, isRoot: isRoot)
        let setup = Setup(
            configuration: reading.configuration, source: reading.source, userDirectories: userDirectories,
            configurationFile: configurationFile, configurationPath: path,
            isOfService: isOfService(configurationFile, isRoot: isRoot))
        return (setup, reading.errors)
    }

    /// Whether this is the configuration of the system service, regardless of which user reads it.
    static func isOfService(_ configurationFile: String?, isRoot: Bool) -> Bool {
        configurationFile.map { $0 == Places.system.configuration + "/iprecordd.toml" } ?? isRoot
    }

    private static func current(_ configurationFile: String?, isRoot: Bool) throws(Problem) -> (
        Configuration.Reading, path: String, userDirectories: Places?
    ) {
        if let path = configurationFile { return (try read(path, places: .system), path, nil) }
        guard let places = isRoot ? .system : Places.user(environment: ProcessInfo.processInfo.environment) else {
            throw .noUserDirectories
        }
        let path = places.configuration + "/iprecordd.toml"
        let reading =
            access(path, F_OK) == 0
            ? try read(path, places: places)
            : Configuration.Reading(
                configuration: Configuration(places: places), source: ConfigurationSource(file: nil))
        return (reading, path, isRoot ? nil : places)
    }

    private static func read(_ path: String, places: Places) throws(Problem) -> Configuration.Reading {
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.bytes(at: path)
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unreadable(path: path, reason: "not valid UTF-8")
        }
        return Configuration.read(text: text, file: path, places: places)
    }

    /// Throws if a startup requirement is not met.
    ///
    /// - Parameter hasActivatedSockets: whether the service manager passed sockets.
    func requireStart(hasActivatedSockets: Bool) throws(UnmetRequirements) {
        let occasion = StartRequirements.Occasion.start(hasActivatedSockets: hasActivatedSockets)
        let violations = StartRequirements(of: self, at: occasion).violations
        guard violations.isEmpty else { throw UnmetRequirements(violations: violations) }
    }

    /// Reads the configuration and the watch-list files as they are now.
    ///
    /// A reload applies only `[watch]` and `[offline]` of the configuration. Other keys that differ are returned,
    /// because they are applied at the next startup; `[offline]` is one of them if the kind of the provider differs.
    ///
    /// - Throws: an error if the configuration is invalid or cannot be read; then nothing is applied.
    func lists() throws -> ListContents {
        let (reading, _, _) = try Self.current(configurationFile, isRoot: geteuid() == 0)
        if let error = reading.errors.first { throw error }
        let current = reading.configuration
        let lists = WatchLists(directory: current.watchDirectory)
        let keys = current.keysRequiringRestart(comparedTo: configuration)
        return ListContents(
            configured: current.addresses, fileEntries: lists.listed, problems: lists.report.ignored,
            keysNotApplied: keys,
            databases: current.kind == configuration.kind ? current.databases : configuration.databases)
    }
}

/// The result of reading the configuration's lists and the watch-list files.
struct ListContents: Sendable {
    /// The addresses in the configuration.
    var configured: [IPAddress] = []
    /// The lines of the watch-list files; empty if the directory is missing or has no list.
    var fileEntries: [ListedAddress] = []
    var problems: [WatchLists.Problem] = []
    /// The keys whose values differ from those read at startup, and are applied at the next startup.
    var keysNotApplied: [String] = []
    /// The paths of the local databases in the configuration.
    var databases: [String] = []

    /// Everything that is ignored, as human-readable text: invalid lines, unreadable files, and changed keys.
    var warnings: [String] { problems.map { "\($0)" } + keyWarnings }

    /// The warning about changed keys, if there are any.
    var keyWarnings: [String] {
        guard !keysNotApplied.isEmpty else { return [] }
        return ["\(keysNotApplied.joined(separator: ", ")) changed; restart to apply: systemctl restart iprecordd"]
    }

    /// Returns the contents as an event's payload.
    ///
    /// - Parameters:
    ///   - request: the request that triggered the reload; nil at startup and after SIGHUP.
    ///   - isForced: the value of `ListReading.isForced`.
    ///   - isPreview: the value of `ListReading.isPreview`.
    func reading(for request: Request.ID? = nil, isForced: Bool = false, isPreview: Bool = false) -> ListReading {
        ListReading(
            fileEntries, configured: configured, isComplete: problems.allSatisfy { $0.line != nil },
            problems: isPreview ? problems.map { "\($0)" } : warnings, for: request, isForced: isForced,
            isPreview: isPreview)
    }
}
