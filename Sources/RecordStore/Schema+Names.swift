extension Schema {
    /// The migration that adds watched host names.
    static let namesMigration = "12: host names"

    /// The host name that an event concerns, or NULL.
    static let nameColumn = "name TEXT"

    /// The index of the events of each host name. It contains only these events, which are rare.
    ///
    /// The migration does not create it, because the migration would fail if a page of the events is damaged. The store
    /// creates it when it opens the database, because that reads all events.
    static let nameIndex =
        "CREATE INDEX IF NOT EXISTS notice_name ON notice (name, seq) WHERE name IS NOT NULL"

    /// The tables of watched host names. A watched entry that no client has added and that is in no file belongs to the
    /// names that have its address.
    static let names = """
        CREATE TABLE host_name ( -- the watched host names
          name TEXT PRIMARY KEY, -- in lower case, without the final dot
          tags TEXT, -- a JSON array of strings for its addresses, or NULL for none
          note TEXT, -- likewise
          answered_at INTEGER, -- Unix milliseconds, when the last different answer arrived; NULL before the first one
          failure TEXT, -- why it cannot be resolved; NULL after an answer
          failing_since INTEGER -- Unix milliseconds; NULL after an answer
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE host_address ( -- the addresses in the last answer of each host name
          name TEXT NOT NULL,
          address TEXT NOT NULL, -- in canonical form
          PRIMARY KEY (name, address)
        ) STRICT, WITHOUT ROWID;

        ALTER TABLE notice ADD COLUMN \(nameColumn);
        """

    /// Returns the statement that creates the table of events under a name.
    static func notice(name: String) -> String {
        let columns = ["message TEXT", userColumn, nameColumn]
        return noticeWithoutUser(name: name).replacing(columns[0], with: columns.joined(separator: ",\n  "))
    }
}
