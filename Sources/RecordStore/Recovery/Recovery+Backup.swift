import GRDB
import RecordKeeping

extension Recovery {
    /// The tables to which missing rows are added from a backup.
    static let backedUpTables = ["entry", "host_name", "host_address", "notice", "change", "outage", "meta"]

    /// Adds the rows of a backup that the incomplete tables lack.
    func complete(
        _ target: Database, from backup: Database, madeAt time: WallTime, _ incomplete: [String]
    ) throws {
        // Since schema 9, entries have ids. An id in the backup may belong to another address.
        let hasIDs = try TableColumn.all(of: "entry", in: target).contains { $0.name == "id" }
        try target.execute(
            sql: "CREATE TEMP TABLE known_entry AS SELECT address, \(hasIDs ? "id" : "NULL AS id") FROM entry")
        let hasNames = try target.tableExists("host_name")
        if hasNames { try target.execute(sql: "CREATE TEMP TABLE known_name AS SELECT name FROM host_name") }
        for table in Self.backedUpTables where try incomplete.contains(table) && backup.tableExists(table) {
            let last = try table == "outage" ? Int64.fetchOne(target, sql: "SELECT max(number) FROM outage") : nil
            // A watch that ended by itself may have been made permanent since the backup.
            let omitted: Set = table == "entry" ? ["id", "watched_until", "watched_until_elapsed"] : []
            _ = try TableCopy(table: table, conflict: .ignore, omitted: omitted).run(from: backup, to: target)
            if table == "outage" {
                // If an outage was in progress when the backup was made, its end is unknown.
                try target.execute(
                    sql: "UPDATE outage SET until = max(since, ?) WHERE until IS NULL AND number IS NOT ?",
                    arguments: [time.milliseconds, last])
            }
        }
        if hasIDs {
            try target.execute(
                sql: """
                    DELETE FROM entry WHERE address IN (SELECT address FROM known_entry)
                    AND id NOT IN (SELECT id FROM known_entry)
                    """)
        }
        let seq = try Meta.lastSeq.value(in: backup) ?? 0
        try Replacement.raiseLastSeq(to: seq, in: target)
        if hasNames { try removeNames(in: target, removedAfter: seq) }
        // Addresses of the backup that were removed later are recognized by their events. Their history was deleted
        // with them.
        try target.execute(
            sql: """
                CREATE TEMP TABLE removed AS
                  SELECT address FROM notice WHERE seq > ? AND kind IN ('added', 'removed')
                  GROUP BY address HAVING max(seq) = max(CASE kind WHEN 'removed' THEN seq END);
                DELETE FROM entry
                  WHERE address IN (SELECT address FROM removed) AND address NOT IN (SELECT address FROM known_entry);
                DELETE FROM change
                  WHERE address IN (SELECT address FROM removed) AND address NOT IN (SELECT address FROM entry);
                DROP TABLE removed;
                DROP TABLE known_entry;
                """,
            arguments: [seq])
    }

    /// Removes the host names of the backup that were removed later, which their events show. A name that was in the
    /// damaged database may have been added again by an event that was lost.
    private func removeNames(in target: Database, removedAfter seq: Int64) throws {
        let removed = """
            SELECT name FROM notice WHERE seq > ? AND kind IN ('nameAdded', 'nameRemoved') AND name IS NOT NULL
              GROUP BY name HAVING max(seq) = max(CASE kind WHEN 'nameRemoved' THEN seq END)
            """
        for table in ["host_name", "host_address"] {
            try target.execute(
                sql: """
                    DELETE FROM \(table) WHERE name IN (\(removed)) AND name NOT IN (SELECT name FROM known_name)
                    """,
                arguments: [seq])
        }
        try target.execute(sql: "DROP TABLE known_name")
    }
}
