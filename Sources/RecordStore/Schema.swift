import GRDB

/// The schema and its migrations. The SQL comments are stored in the database, so `.schema` in sqlite3(1) shows them.
/// Other programs can query the database while the daemon runs, but must not write: `sqlite3 -readonly`.
enum Schema {
    /// "IPRC", which identifies the database to file(1) and to the daemon
    /// (sqlite.org/pragma.html#pragma_application_id).
    static let applicationID: Int32 = 0x4950_5243

    /// All migrations, oldest first; their names must not change.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: entries, records, notices and health") { database in
            try database.execute(sql: first)
        }
        migrator.registerMigration("2: outages") { database in
            try database.execute(sql: second)
        }
        migrator.registerMigration("3: quotas and health by provider") { database in
            try database.execute(sql: third)
        }
        migrator.registerMigration("4: changes by their time") { database in
            // With this index, the hourly deletion finds expired changes without reading all of the history.
            try database.execute(sql: "CREATE INDEX change_at ON change (at)")
        }
        // The migration changes no foreign key, and checking all of them would read every entry.
        migrator.registerMigration("5: retention by elapsed time", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: fifth)
        }
        // A new column changes no foreign key.
        migrator.registerMigration("7: users of changes and omitted fields", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: seventh)
        }
        migrator.registerMigration("8: health by endpoint", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: eighth)
        }
        // Checking the foreign keys of the new tables as they are filled costs less than checking all of them.
        migrator.registerMigration("9: records by scan", foreignKeyChecks: .immediate) { database in
            try database.execute(sql: ninth)
        }
        migrator.registerMigration("10: watches that end", foreignKeyChecks: .immediate) { try $0.execute(sql: tenth) }
        migrator.registerMigration("11: versions of local databases", foreignKeyChecks: .immediate) {
            try $0.execute(sql: eleventh)
        }
        migrator.registerMigration(namesMigration, foreignKeyChecks: .immediate) { try $0.execute(sql: names) }
        return migrator
    }

    private static let eighth = """
        CREATE TABLE endpoint_health ( -- the health of each endpoint of each provider that was called
          provider TEXT NOT NULL, -- its base URL; empty for a provider of schema 2 or earlier
          endpoint TEXT NOT NULL,
          state TEXT NOT NULL,
          since INTEGER NOT NULL, -- Unix milliseconds
          failure_kind TEXT,
          failure_message TEXT,
          failure_attempts INTEGER,
          failure_at INTEGER,
          failure_boot_ns INTEGER,
          failure_boot INTEGER REFERENCES boot (id),
          retry_at INTEGER,
          retry_boot_ns INTEGER,
          retry_boot INTEGER REFERENCES boot (id),
          from_retry_after INTEGER NOT NULL, -- 1 if retry_at comes from the header Retry-After, otherwise 0
          PRIMARY KEY (provider, endpoint)
        ) STRICT, WITHOUT ROWID;
        -- In earlier versions, a failure of one endpoint counted for both.
        INSERT INTO endpoint_health
          SELECT provider.endpoint, name, state, since, failure_kind, failure_message, failure_attempts, failure_at,
            failure_boot_ns, failure_boot, retry_at, retry_boot_ns, retry_boot, 0
          FROM provider, (SELECT 'single' AS name UNION SELECT 'batch');
        DROP TABLE provider;
        """

    private static let seventh = """
        ALTER TABLE notice ADD COLUMN \(userColumn);
        -- Fields that the last reply left out for the first time: a JSON array as in notice, or NULL for none.
        ALTER TABLE entry ADD COLUMN omissions TEXT;
        """

    // The age of existing history is unknown, so it is counted from the migration.
    private static let fifth = """
        DROP INDEX IF EXISTS change_at; -- changes are deleted along with their events
        \(historyMark(name: "history_mark"));

        -- Beside last_seq, meta has logged_seq (up to which every alert is in the journal), changes (rows of change) and
        -- history_elapsed (milliseconds of running time for which history has been kept) with the moment it was read.
        INSERT OR REPLACE INTO meta SELECT 'logged_seq', value FROM meta WHERE name = 'last_seq';
        INSERT OR REPLACE INTO meta SELECT 'changes', count(*) FROM change;
        """

    private static let third = """
        ALTER TABLE quota_window RENAME TO old_quota_window;
        CREATE TABLE quota_window ( -- what each provider's endpoints still allow
          provider TEXT NOT NULL, -- its base URL; an empty text for one that was not written down
          endpoint TEXT NOT NULL,
          quota INTEGER, -- requests a window
          remaining INTEGER,
          under_way INTEGER NOT NULL, -- requests that had no reply yet when this was written
          length INTEGER NOT NULL, -- of a window, in milliseconds
          resets_at INTEGER, -- Unix milliseconds
          resets_boot_ns INTEGER,
          resets_boot INTEGER REFERENCES boot (id),
          margin INTEGER, -- by how much it may be over earlier, in milliseconds; NULL where that is not known
          PRIMARY KEY (provider, endpoint)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO quota_window
          SELECT '', endpoint, quota, remaining, 0, length, resets_at, resets_boot_ns, resets_boot, NULL
          FROM old_quota_window;
        DROP TABLE old_quota_window;

        ALTER TABLE provider RENAME TO old_provider;
        CREATE TABLE provider ( -- the health of each provider that was asked
          endpoint TEXT PRIMARY KEY, -- its base URL; an empty text for one that was not written down
          state TEXT NOT NULL,
          since INTEGER NOT NULL, -- Unix milliseconds
          failure_kind TEXT,
          failure_message TEXT,
          failure_attempts INTEGER,
          failure_at INTEGER,
          failure_boot_ns INTEGER,
          failure_boot INTEGER REFERENCES boot (id),
          retry_at INTEGER,
          retry_boot_ns INTEGER,
          retry_boot INTEGER REFERENCES boot (id)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO provider
          SELECT '', state, since, failure_kind, failure_message, failure_attempts, failure_at, failure_boot_ns,
            failure_boot, retry_at, retry_boot_ns, retry_boot FROM old_provider;
        DROP TABLE old_provider;
        """

    private static let second = """
        \(outage(name: "outage"));
        \(outageIndex);
        """

    // MARK: History

    /// Returns the statement that creates the table of outages under a name.
    static func outage(name: String) -> String {
        """
        CREATE TABLE \(name) ( -- times during which no record could be had
          number INTEGER PRIMARY KEY, -- counted up from 1
          since INTEGER NOT NULL, -- Unix milliseconds
          until INTEGER, -- Unix milliseconds; NULL while it lasts
          cause TEXT NOT NULL, -- network or provider
          message TEXT NOT NULL,
          deferred INTEGER NOT NULL -- refreshes that were due in it and could not be made
        ) STRICT
        """
    }

    static let outageIndex = "CREATE INDEX outage_since ON outage (since, number)"

    /// The user id of the client that caused the event, or NULL.
    static let userColumn = "user INTEGER"

    /// Returns the statement that creates the table of events as it was before migration 7.
    static func noticeWithoutUser(name: String) -> String {
        """
        CREATE TABLE \(name) ( -- what happened, in order and without gaps, until it is forgotten for its age
          seq INTEGER PRIMARY KEY,
          at INTEGER NOT NULL, -- Unix milliseconds
          kind TEXT NOT NULL,
          address TEXT,
          fields TEXT, -- a JSON array of {"field", "old", "new"}, or NULL for none
          message TEXT
        ) STRICT
        """
    }

    /// Returns the statement that creates the table of changes under a name.
    static func change(name: String) -> String {
        """
        CREATE TABLE \(name) ( -- the history of each address's record
          address TEXT NOT NULL,
          seq INTEGER NOT NULL, -- that of the notice
          at INTEGER NOT NULL, -- Unix milliseconds
          fields TEXT NOT NULL, -- as in notice
          PRIMARY KEY (address, seq)
        ) STRICT, WITHOUT ROWID
        """
    }

    /// Returns the statement that creates the table of marks on the retention clock under a name.
    static func historyMark(name: String) -> String {
        """
        CREATE TABLE \(name) ( -- points on the clock by which history grows old; see history_elapsed in meta
          elapsed INTEGER PRIMARY KEY, -- milliseconds on that clock
          seq INTEGER NOT NULL, -- of the last event written by then
          outage INTEGER NOT NULL -- the number of the last outage that had ended by then
        ) STRICT
        """
    }

    /// Removes a table and its indexes from the schema without reading or freeing their pages.
    static func detach(_ table: String, in database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA schema_version") ?? 0
        // See sqlite.org/pragma.html#pragma_writable_schema; a new version makes other connections read the schema
        // again.
        try database.execute(
            sql: """
                PRAGMA writable_schema = ON;
                DELETE FROM sqlite_master WHERE tbl_name = '\(table)';
                PRAGMA schema_version = \(version + 1);
                PRAGMA writable_schema = RESET;
                """)
        database.clearSchemaCache()
    }

    private static let first = """
        PRAGMA application_id = \(applicationID);

        CREATE TABLE boot ( -- the boots of this machine in which something was written
          id INTEGER PRIMARY KEY,
          boot_id TEXT NOT NULL UNIQUE -- /proc/sys/kernel/random/boot_id
        ) STRICT;

        CREATE TABLE entry ( -- an address of the watch list, or one that was looked up
          address TEXT PRIMARY KEY, -- canonical spelling
          watched INTEGER NOT NULL, -- 0: looked up only, and gone after one interval
          by_client INTEGER NOT NULL, -- a client added it
          by_file INTEGER NOT NULL, -- 1: it stands in a watch-list file; +2, +4: a client has replaced its tags, its note
          pinned INTEGER NOT NULL,
          tags TEXT, -- a JSON array of texts, or NULL for none
          note TEXT,
          changed_at INTEGER, -- Unix milliseconds
          failure_kind TEXT, -- why the last call brought nothing, or NULL; with the four that follow
          failure_message TEXT,
          failure_attempts INTEGER,
          failure_at INTEGER, -- Unix milliseconds
          failure_boot_ns INTEGER, -- CLOCK_BOOTTIME
          failure_boot INTEGER REFERENCES boot (id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE record ( -- what the provider last said of an address; replaced by delete and insert
          address TEXT PRIMARY KEY REFERENCES entry (address) ON DELETE CASCADE,
          provider TEXT NOT NULL,
          scanned_at INTEGER NOT NULL, -- Unix milliseconds, when the call was sent
          scanned_boot_ns INTEGER NOT NULL, -- the same on CLOCK_BOOTTIME, by which the age is measured
          scanned_boot INTEGER NOT NULL REFERENCES boot (id),
          empty_reason TEXT, -- the provider has no record, and says this of it
          continent TEXT, continent_code TEXT, country TEXT, country_code TEXT, region TEXT, region_name TEXT,
          city TEXT, district TEXT, zip TEXT, lat REAL, lon REAL, timezone TEXT, utc_offset INTEGER, currency TEXT,
          isp TEXT, org TEXT, as_text TEXT, asname TEXT, reverse TEXT, mobile INTEGER, proxy INTEGER, hosting INTEGER
        ) STRICT, WITHOUT ROWID;

        \(noticeWithoutUser(name: "notice"));

        \(change(name: "change"));

        CREATE TABLE quota_window ( -- what the provider's endpoints still allow
          endpoint TEXT PRIMARY KEY,
          quota INTEGER, -- requests a window
          remaining INTEGER,
          length INTEGER NOT NULL, -- of a window, in milliseconds
          resets_at INTEGER, -- Unix milliseconds
          resets_boot_ns INTEGER,
          resets_boot INTEGER REFERENCES boot (id)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE provider ( -- its health, in one row
          id INTEGER PRIMARY KEY CHECK (id = 1),
          state TEXT NOT NULL,
          since INTEGER NOT NULL, -- Unix milliseconds
          failure_kind TEXT,
          failure_message TEXT,
          failure_attempts INTEGER,
          failure_at INTEGER,
          failure_boot_ns INTEGER,
          failure_boot INTEGER REFERENCES boot (id),
          retry_at INTEGER,
          retry_boot_ns INTEGER,
          retry_boot INTEGER REFERENCES boot (id)
        ) STRICT;

        CREATE TABLE network_loss ( -- one row while there is no way to the provider
          id INTEGER PRIMARY KEY CHECK (id = 1),
          since INTEGER NOT NULL, -- Unix milliseconds
          reason TEXT NOT NULL
        ) STRICT;

        CREATE TABLE meta ( -- last_seq: the seq of the last notice ever written, which never goes down
          name TEXT PRIMARY KEY,
          value INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        INSERT INTO meta VALUES ('last_seq', 0);
        """
}
