extension Schema {
    /// The tables of entries and records since schema 9. Records that were fetched together share the row of their
    /// call, and texts that many records have in common are stored once.
    ///
    /// Only damage to the file can cause values of a wrong type. In an entry, such values are replaced, so that the
    /// address stays on the watch list. Records with such values are left out, and fetched again.
    static let ninth = """
        ALTER TABLE record RENAME TO old_record;
        ALTER TABLE entry RENAME TO old_entry;

        CREATE TABLE scan ( -- the calls that fetched the current records
          id INTEGER PRIMARY KEY,
          provider TEXT NOT NULL,
          at INTEGER NOT NULL, -- Unix milliseconds, when the call was sent
          boot_ns INTEGER NOT NULL, -- the same on CLOCK_BOOTTIME, which determines the age
          boot INTEGER NOT NULL REFERENCES boot (id)
        ) STRICT;

        CREATE TABLE place ( -- locations; each may belong to many records
          id INTEGER PRIMARY KEY,
          continent TEXT, continent_code TEXT, country TEXT, country_code TEXT, region TEXT, region_name TEXT,
          city TEXT, district TEXT, timezone TEXT, utc_offset INTEGER, currency TEXT
        ) STRICT;

        CREATE TABLE network ( -- operators of networks; each may belong to many records
          id INTEGER PRIMARY KEY,
          isp TEXT, org TEXT, as_text TEXT, asname TEXT
        ) STRICT;

        CREATE TABLE entry ( -- an address of the watch list, or one that was looked up
          id INTEGER PRIMARY KEY, -- in the order in which the entries were added
          address TEXT NOT NULL, -- in canonical form, and in no other row
          watched INTEGER NOT NULL, -- 0: only looked up, and removed after one interval
          by_client INTEGER NOT NULL, -- 1 if a client has added it
          by_file INTEGER NOT NULL, -- 1: in a watch-list file; +2, +4: a client has replaced its tags, its note
          pinned INTEGER NOT NULL,
          tags TEXT, -- a JSON array of strings, or NULL for none
          note TEXT,
          changed_at INTEGER, -- Unix milliseconds
          failure_kind TEXT, -- why the last call failed, or NULL; with the five columns that follow
          failure_message TEXT,
          failure_attempts INTEGER,
          failure_at INTEGER, -- Unix milliseconds
          failure_boot_ns INTEGER, -- CLOCK_BOOTTIME
          failure_boot INTEGER REFERENCES boot (id),
          omissions TEXT -- fields that the last reply left out for the first time: an array as in notice, or NULL
        ) STRICT;

        CREATE TABLE record ( -- the provider's last answer about each entry; the view "records" has it whole
          id INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE,
          scan INTEGER NOT NULL, -- the row of its call
          empty_reason TEXT, -- if the provider has no record: its reason
          place INTEGER, -- the row of its location, or NULL if the provider has no record
          network INTEGER, -- the row of its network, likewise
          lat REAL, lon REAL, zip TEXT, reverse TEXT, mobile INTEGER, proxy INTEGER, hosting INTEGER
        ) STRICT;

        CREATE VIEW records AS -- the records, under the provider's names of their fields
          SELECT entry.address, scan.provider, scan.at AS scannedAt, record.empty_reason AS emptyReason,
            continent, continent_code AS continentCode, country, country_code AS countryCode, region,
            region_name AS regionName, city, district, zip, lat, lon, timezone, utc_offset AS "offset", currency,
            isp, org, as_text AS "as", asname, reverse, mobile, proxy, hosting
          FROM entry JOIN record ON record.id = entry.id JOIN scan ON scan.id = record.scan
            LEFT JOIN place ON place.id = record.place LEFT JOIN network ON network.id = record.network;

        CREATE TEMP VIEW valid_record AS SELECT * FROM old_record WHERE \(areValid(oldRecord));
        -- A boot whose row is lost never matches the current one, so its instants are dated by the wall clock.
        INSERT OR IGNORE INTO boot (id, boot_id)
          SELECT scanned_boot, 'lost ' || scanned_boot FROM valid_record
          UNION SELECT failure_boot, 'lost ' || failure_boot FROM old_entry WHERE typeof(failure_boot) = 'integer';
        -- Entries whose records were fetched together get consecutive ids.
        INSERT INTO entry
          SELECT NULL, \(validValues(oldEntry))
          FROM old_entry LEFT JOIN (SELECT address AS scanned, scanned_at, scanned_boot_ns FROM valid_record)
            ON scanned = address
          WHERE typeof(address) = 'text'
          ORDER BY scanned_at, scanned_boot_ns, address;
        INSERT INTO scan (provider, at, boot_ns, boot)
          SELECT DISTINCT provider, scanned_at, scanned_boot_ns, scanned_boot FROM valid_record
          ORDER BY scanned_at, scanned_boot_ns;
        INSERT INTO place (\(names(places)))
          SELECT DISTINCT \(names(places)) FROM valid_record WHERE empty_reason IS NULL;
        INSERT INTO network (\(names(networks)))
          SELECT DISTINCT \(names(networks)) FROM valid_record WHERE empty_reason IS NULL;

        CREATE INDEX scan_values ON scan (at, boot_ns, boot, provider);
        CREATE INDEX place_values ON place (\(names(places)));
        CREATE INDEX network_values ON network (\(names(networks)));
        INSERT OR IGNORE INTO record
          SELECT entry.id, scan.id, empty_reason, place.id, network.id, lat, lon, zip, reverse, mobile, proxy, hosting
          FROM entry
            CROSS JOIN valid_record AS old ON old.address = entry.address
            CROSS JOIN scan ON scan.at = scanned_at AND scan.boot_ns = scanned_boot_ns AND scan.boot = scanned_boot
              AND scan.provider = old.provider
            LEFT JOIN place ON empty_reason IS NULL AND \(areEqual("place", places))
            LEFT JOIN network ON empty_reason IS NULL AND \(areEqual("network", networks))
          ORDER BY entry.id;

        DROP INDEX scan_values;
        DROP INDEX place_values;
        DROP INDEX network_values;
        DROP VIEW valid_record;
        DROP TABLE old_record;
        DROP TABLE old_entry;
        """

    // MARK: Columns of schema 8

    /// A column, the name of its type in `typeof`, and whether it can be NULL.
    private typealias Column = (name: String, type: String, isOptional: Bool)

    private static let oldEntry: [Column] =
        columns(["address"], "text", areOptional: false)
        + columns(["watched", "by_client", "by_file", "pinned"], "integer", areOptional: false)
        + columns(["tags", "note"], "text") + columns(["changed_at"], "integer")
        + columns(["failure_kind", "failure_message"], "text")
        + columns(["failure_attempts", "failure_at", "failure_boot_ns", "failure_boot"], "integer")
        + columns(["omissions"], "text")

    private static let oldRecord: [Column] =
        columns(["address", "provider"], "text", areOptional: false)
        + columns(["scanned_at", "scanned_boot_ns", "scanned_boot"], "integer", areOptional: false)
        + columns(["empty_reason", "zip", "reverse"], "text") + columns(["lat", "lon"], "real")
        + columns(["mobile", "proxy", "hosting"], "integer") + places + networks

    private static let places: [Column] =
        columns(
            [
                "continent", "continent_code", "country", "country_code", "region", "region_name", "city", "district",
                "timezone",
            ], "text") + columns(["utc_offset"], "integer") + columns(["currency"], "text")

    private static let networks: [Column] = columns(["isp", "org", "as_text", "asname"], "text")

    private static func columns(_ names: [String], _ type: String, areOptional: Bool = true) -> [Column] {
        names.map { ($0, type, areOptional) }
    }

    private static func names(_ columns: [Column]) -> String { columns.map(\.name).joined(separator: ", ") }

    private static func areValid(_ columns: [Column]) -> String {
        columns.map { "typeof(\($0.name)) IN ('\($0.type)'\($0.isOptional ? ", 'null'" : ""))" }
            .joined(separator: " AND ")
    }

    /// Values of a wrong type become NULL in optional columns. In required columns, they become the value for an
    /// address that a client has added: 0 for `by_file` and `pinned`, otherwise 1.
    private static func validValues(_ columns: [Column]) -> String {
        columns.map { column in
            let other = column.isOptional ? "NULL" : ["by_file", "pinned"].contains(column.name) ? "0" : "1"
            return "CASE typeof(\(column.name)) WHEN '\(column.type)' THEN \(column.name) ELSE \(other) END"
        }.joined(separator: ", ")
    }

    private static func areEqual(_ table: String, _ columns: [Column]) -> String {
        columns.map { "\(table).\($0.name) IS old.\($0.name)" }.joined(separator: " AND ")
    }
}
