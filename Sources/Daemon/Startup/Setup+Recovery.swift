import Control
import Foundation
import Glibc
import RecordKeeping
import RecordStore

/// The commands that make a new database while no daemon runs.
extension Setup {
    /// Copies the readable rows of a damaged database into a new one, adds missing rows from the newest readable
    /// backup, and prints a summary.
    ///
    /// - Returns: the exit status.
    func recover() throws -> Int32 {
        let path = configuration.storePath
        let outcome = try Recovery(path: path).run(at: SystemClock.now, bootID: SystemClock.bootID)
        if outcome.onlyFinishes {
            print("finished the interrupted recovery or restore of \(path)")
            return EXIT_SUCCESS
        }
        let addresses = Self.count(outcome.entries, "address", "addresses")
        if outcome.incomplete == [Recovery.everything], let backup = outcome.backup {
            print(
                "nothing could be read from the damaged database; the new one has the \(addresses) of the backup "
                    + Self.text(backup))
        } else {
            print("saved \(addresses), \(outcome.records) with a record, in \(path)")
            if !outcome.incomplete.isEmpty {
                print("some rows could not be read: \(Self.contents(of: outcome.incomplete))")
            }
            if let backup = outcome.backup {
                print("added the missing rows from the backup \(Self.text(backup))")
            }
        }
        for backup in outcome.skipped { print("skipped the backup \(backup.path): \(backup.reason.printable)") }
        if outcome.invalid > 0 { print("left out \(Self.count(outcome.invalid, "invalid row", "invalid rows"))") }
        if let damaged = outcome.damaged { print("the damaged database is kept as \(damaged)") }
        print("iprecordd can be started again")
        return EXIT_SUCCESS
    }

    /// Replaces the database with a backup, or lists the backups.
    ///
    /// - Parameter file: the path of the backup; nil to list them.
    /// - Returns: the exit status.
    func restore(_ file: String?) throws -> Int32 {
        let backups = try Backup.all(of: configuration.storePath)
        guard let file else {
            for backup in backups { print(Self.line(backup)) }
            if backups.isEmpty { print("there are no backups of \(configuration.storePath)") }
            return EXIT_SUCCESS
        }
        let backup = backups.first { $0.path == file } ?? Backup(path: file)
        let outcome = try Restoration(path: configuration.storePath).run(
            backup, at: SystemClock.now, bootID: SystemClock.bootID)
        print(
            "restored \(Self.count(outcome.contents.addresses, "address", "addresses")) and "
                + "\(Self.count(outcome.contents.events, "event", "events")) to \(configuration.storePath)")
        if outcome.contents.records == 0 { print("the records will be fetched again") }
        if let replaced = outcome.replaced { print("the replaced database is kept as \(replaced)") }
        print("iprecordd can be started again")
        return EXIT_SUCCESS
    }

    private static func line(_ backup: Backup) -> String {
        let contents: String
        do throws(Recovery.Problem) {
            let found = try backup.contents()
            contents = "\(count(found.addresses, "address", "addresses")), \(count(found.events, "event", "events"))"
        } catch {
            contents = "unusable: \(error.reason.printable)"
        }
        return "\(backup.path)  \(text(backup.madeAt))  \(contents)"
    }

    private static func text(_ backup: Backup) -> String { "\(backup.path) (made \(text(backup.madeAt)))" }

    /// Returns a description, for users, of the data in these tables.
    private static func contents(of tables: [String]) -> String {
        let names = tables.map { table in
            switch table {
            case "entry": "the watch list"
            case "record", "scan", "place", "network": "records"
            case "notice": "events"
            case "change": "the history of changes"
            case "outage": "outages"
            default: "internal state"
            }
        }
        return names.enumerated().filter { names.firstIndex(of: $1) == $0 }.map(\.element).joined(separator: ", ")
    }

    private static func text(_ time: WallTime) -> String {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000).formatted(.iso8601)
    }

    private static func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}
