import Glibc
package import RecordKeeping

/// A copy of the data that cannot be fetched again: the watch list with its labels, the events, the outages and the
/// history of changes. It is a database of the same schema, without records, beside the database that it was made from.
package struct Backup: Hashable, Comparable, Sendable {
    package let path: String
    /// The wall time at which it was made, in whole seconds; for a file under another name, the time at which the file
    /// was last changed.
    package let madeAt: WallTime

    /// The temporary path of a backup until it is complete, the same for all backups of a database.
    let partial: String

    private static let infix = ".backup-"

    /// A backup under any name, such as one that was copied elsewhere.
    package init(path: String) {
        self.path = path
        partial = path + ".partial"
        var status = stat()
        let changedAt = stat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : 0
        madeAt = WallTime(milliseconds: (Self.seconds(inName: path) ?? changedAt) * 1_000)
    }

    /// Describes the backup of `database` that is made at `now`; writes no file. A time outside the valid range is
    /// replaced by the nearest valid time.
    init(of database: String, at now: WallTime) {
        let seconds = min(max(now.milliseconds / 1_000, Self.times.lowerBound), Self.times.upperBound - 1)
        path = "\(database)\(Self.infix)\(seconds)"
        partial = "\(database).backup.partial"
        madeAt = WallTime(milliseconds: seconds * 1_000)
    }

    /// Returns the backups of a database, the newest first.
    ///
    /// - Throws: `inaccessible` if the directory cannot be read.
    package static func all(of database: String) throws(StoreError) -> [Backup] {
        try SiblingFiles.of(database).filter { $0.hasPrefix(database + infix) }.compactMap { file in
            seconds(inName: file).map { Backup(of: database, at: WallTime(milliseconds: $0 * 1_000)) }
        }.sorted(by: >)
    }

    /// Returns the time in Unix seconds in the name of a backup, or nil for other names.
    private static func seconds(inName name: String) -> Int64? {
        guard let suffix = name.ranges(of: infix).last.map({ name[$0.upperBound...] }), let seconds = Int64(suffix),
            times.contains(seconds), suffix == "\(seconds)"
        else { return nil }
        return seconds
    }

    /// The years from 2001 to 2199 in Unix seconds. A number outside this range is not a time, but may be, for example,
    /// the date in the name of a user's copy.
    private static let times: Range<Int64> = 1_000_000_000..<7_258_118_400

    package static func < (left: Self, right: Self) -> Bool {
        (left.madeAt, left.path) < (right.madeAt, right.path)
    }
}
