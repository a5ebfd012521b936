import Foundation
import Glibc
import RecordKeeping
import RecordStore

/// What the daemon starts with: which configuration holds, and where it came from.
package struct Setup: Sendable {
    package let configuration: Configuration
    /// The folders below which a missing one is made: the user's own. Those of the system belong to the package and to
    /// the service manager.
    package let ownPlaces: Places?
    /// What --config says; nil for the usual places.
    private let configurationFile: String?

    package enum Problem: Error, CustomStringConvertible {
        case unreadable(path: String, reason: String)
        case noHome

        package var description: String {
            switch self {
            case .unreadable(let path, let reason):
                "the configuration \(path) cannot be read: \(reason)"
            case .noHome:
                "neither XDG_RUNTIME_DIR and HOME nor --config say where to keep things; set them, or give --config"
            }
        }
    }

    /// - Parameter configurationFile: what --config says; nil for the usual places.
    package init(configurationFile: String?) throws {
        self.configurationFile = configurationFile
        (configuration, ownPlaces) = try Self.current(configurationFile)
    }

    private static func current(_ configurationFile: String?) throws -> (Configuration, ownPlaces: Places?) {
        if let path = configurationFile { return (try read(path, places: .system), nil) }
        let isSystem = geteuid() == 0
        guard let places = isSystem ? .system : Places.user(environment: ProcessInfo.processInfo.environment) else {
            throw Problem.noHome
        }
        let path = places.configuration + "/iprecordd.toml"
        let hasFile = access(path, F_OK) == 0
        let configuration = hasFile ? try read(path, places: places) : Configuration(places: places)
        return (configuration, isSystem ? nil : places)
    }

    private static func read(_ path: String, places: Places) throws -> Configuration {
        let text: String
        do {
            text = try TextFile.text(atPath: path)
        } catch {
            throw Problem.unreadable(path: path, reason: "\(error)")
        }
        return try Configuration(text: text, file: path, places: places)
    }

    /// Tells what is wrong with the watch lists; the configuration was good, or there would be no setup.
    ///
    /// - Returns: the exit status, 0 where all is well.
    func check() -> Int32 {
        let lists = WatchLists(directory: configuration.watchDirectory)
        for problem in lists.problems { complain("\(problem)") }
        let count = lists.listed.count + configuration.addresses.count
        guard lists.problems.isEmpty else {
            let count = lists.problems.count
            let subject = count == 1 ? "one line or file does" : "\(count) lines or files do"
            complain("\(subject) not count; the configuration itself is good")
            return EXIT_FAILURE
        }
        print("the configuration is good; \(count) \(count == 1 ? "address" : "addresses") in it and in the lists")
        return EXIT_SUCCESS
    }

    /// Puts what can be saved of the store's database into a new one.
    ///
    /// - Returns: the exit status.
    func recover() throws -> Int32 {
        let outcome = try Recovery(path: configuration.storePath).run(at: SystemClock.now.wall)
        let addresses = outcome.entries == 1 ? "1 address" : "\(outcome.entries) addresses"
        print("saved \(addresses), \(outcome.records) with a record, in \(configuration.storePath)")
        if outcome.lost > 0 {
            print("\(outcome.lost == 1 ? "1 piece" : "\(outcome.lost) pieces") of it made no sense any more")
        }
        print("the damaged database is kept as \(outcome.damaged)")
        return EXIT_SUCCESS
    }

    /// Everything that stands in the configuration and in the watch-list files, as they are now.
    ///
    /// Of the configuration only `[watch]` is taken anew; the rest holds until the next start, and is told where it differs.
    ///
    /// - Throws: what is wrong with the configuration; then nothing of it is to be taken.
    func lists() throws -> ListContents {
        let (current, _) = try Self.current(configurationFile)
        let lists = WatchLists(directory: current.watchDirectory)
        let keys = current.keysThatWantRestart(comparedTo: configuration)
        return ListContents(
            listed: current.addresses.map { ListedAddress(address: $0) } + lists.listed, problems: lists.problems,
            keysNotTaken: keys)
    }
}

/// What one reading of the configuration's list and of the watch-list files found.
struct ListContents: Sendable {
    var listed: [ListedAddress] = []
    var problems: [WatchLists.Problem] = []
    /// What differs from the configuration of the start, and is not taken before the next.
    var keysNotTaken: [String] = []

    /// All that does not count, for a person.
    var complaints: [String] {
        var complaints = problems.map { "\($0)" }
        if !keysNotTaken.isEmpty {
            let keys = keysNotTaken.joined(separator: ", ")
            complaints.append("\(keys) changed, which takes a restart: systemctl restart iprecordd")
        }
        return complaints
    }
}
