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
    /// Whether the system's service reads this configuration.
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

    /// - Parameters:
    ///   - configurationFile: the argument of --config; nil for the default path.
    ///   - isRoot: whether the default directories are those of the system.
    package init(configurationFile: String?, isRoot: Bool = geteuid() == 0) throws {
        self.configurationFile = configurationFile
        isOfService = Self.isOfService(configurationFile, isRoot: isRoot)
        ((configuration, source), userDirectories) = try Self.current(configurationFile, isRoot: isRoot)
    }

    /// Whether this is the configuration of the system's service, whichever user reads it.
    static func isOfService(_ configurationFile: String?, isRoot: Bool) -> Bool {
        configurationFile.map { $0 == Places.system.configuration + "/iprecordd.toml" } ?? isRoot
    }

    private typealias Reading = (configuration: Configuration, source: ConfigurationSource)

    private static func current(_ configurationFile: String?, isRoot: Bool) throws -> (
        Reading, userDirectories: Places?
    ) {
        if let path = configurationFile { return (try read(path, places: .system), nil) }
        guard let places = isRoot ? .system : Places.user(environment: ProcessInfo.processInfo.environment) else {
            throw Problem.noUserDirectories
        }
        let path = places.configuration + "/iprecordd.toml"
        let hasFile = access(path, F_OK) == 0
        let defaults = (Configuration(places: places), ConfigurationSource(file: nil))
        return (hasFile ? try read(path, places: places) : defaults, isRoot ? nil : places)
    }

    private static func read(_ path: String, places: Places) throws -> Reading {
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.bytes(at: path)
        } catch {
            throw Problem.unreadable(path: path, reason: "\(error)")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem.unreadable(path: path, reason: "not valid UTF-8")
        }
        return try Configuration.read(text: text, file: path, places: places)
    }

    /// Checks the watch lists and everything else that is needed at startup, prints the problems, and creates nothing.
    /// The configuration itself is valid, because a setup cannot be created from an invalid configuration.
    ///
    /// - Returns: the exit status, 0 if nothing is wrong.
    func check() -> Int32 {
        let requirements = StartRequirements(of: self, at: .check)
        for violation in requirements.violations { printError("\(violation)") }
        let lists = WatchLists(directory: configuration.watchDirectory)
        for problem in lists.problems { printError("\(problem)") }
        for file in lists.unreadFiles { printError("warning: \(file) is not read: its name does not end in .list") }
        for file in requirements.unverified {
            print("not checked: \(file)".printable)
        }
        guard requirements.violations.isEmpty else { return DaemonCommand.badConfiguration }
        let count = lists.listed.count + configuration.addresses.count
        guard lists.problems.isEmpty else {
            let count = lists.problems.count
            let subject = count == 1 ? "1 line or file is" : "\(count) lines or files are"
            printError("\(subject) ignored; the configuration itself is valid")
            return EXIT_FAILURE
        }
        print("the configuration is valid; \(count) \(count == 1 ? "address" : "addresses") in total")
        return EXIT_SUCCESS
    }

    /// Throws if a startup requirement is not met.
    ///
    /// - Parameter hasActivatedSockets: whether the service manager passed sockets.
    func requireStart(hasActivatedSockets: Bool) throws(UnmetRequirements) {
        let occasion = StartRequirements.Occasion.start(hasActivatedSockets: hasActivatedSockets)
        let violations = StartRequirements(of: self, at: occasion).violations
        guard violations.isEmpty else { throw UnmetRequirements(violations: violations) }
    }

    /// Copies the readable rows of a damaged database into a new one, and prints a summary.
    ///
    /// - Returns: the exit status.
    func recover() throws -> Int32 {
        let outcome = try Recovery(path: configuration.storePath).run(at: SystemClock.now.wall)
        let addresses = outcome.entries == 1 ? "1 address" : "\(outcome.entries) addresses"
        print("saved \(addresses), \(outcome.records) with a record, in \(configuration.storePath)")
        if outcome.lost > 0 {
            print("\(outcome.lost == 1 ? "1 row or page" : "\(outcome.lost) rows or pages") could not be recovered")
        }
        print("the damaged database is kept as \(outcome.damaged)")
        return EXIT_SUCCESS
    }

    /// Reads the configuration and the watch-list files as they are now.
    ///
    /// A reload applies only `[watch]` of the configuration. Other keys that differ are returned, because they are
    /// applied at the next startup.
    ///
    /// - Throws: an error if the configuration is invalid or cannot be read; then nothing is applied.
    func lists() throws -> ListContents {
        let current = try Self.current(configurationFile, isRoot: geteuid() == 0).0.configuration
        let lists = WatchLists(directory: current.watchDirectory)
        let keys = current.keysRequiringRestart(comparedTo: configuration)
        return ListContents(
            configured: current.addresses, fileEntries: lists.listed, problems: lists.problems, keysNotApplied: keys)
    }
}

/// The result of reading the configuration's list and the watch-list files.
struct ListContents: Sendable {
    /// The addresses in the configuration.
    var configured: [IPAddress] = []
    /// The lines of the watch-list files; empty if the directory is missing or has no list.
    var fileEntries: [ListedAddress] = []
    var problems: [WatchLists.Problem] = []
    /// The keys that differ from the configuration that was read at startup, and are applied at the next startup.
    var keysNotApplied: [String] = []

    /// Everything that is ignored, as human-readable text: invalid lines, unreadable files, and changed keys.
    var warnings: [String] {
        var warnings = problems.map { "\($0)" }
        if !keysNotApplied.isEmpty {
            let keys = keysNotApplied.joined(separator: ", ")
            warnings.append("\(keys) changed; restart to apply: systemctl restart iprecordd")
        }
        return warnings
    }

    /// Returns the contents as an event's payload.
    ///
    /// - Parameters:
    ///   - request: the request that triggered the reload; nil at startup and after SIGHUP.
    ///   - isForced: the value of `ListReading.isForced`.
    func reading(for request: Request.ID? = nil, isForced: Bool = false) -> ListReading {
        ListReading(
            fileEntries, configured: configured, isComplete: problems.allSatisfy { $0.line != nil },
            problems: warnings, for: request, isForced: isForced)
    }
}
