/// The schema `iprecord` in the PostgreSQL database, with its versions. Requires PostgreSQL 13 or later.
///
/// The role that creates the schema owns it. Nodes run as the same role, or as another one with the privileges in
/// ``grants(to:)``; docs/fleet-database.md describes both.
///
/// A version only adds columns with defaults, tables and functions, so that programs of the version before can work
/// with it until all hosts are upgraded. A function whose parameters change gets another name.
enum FleetSchema {
    /// The migrations in order. The version of the schema is the number of applied migrations.
    static let migrations = [[tables, lease, journal, state, stateFunctions].joined(separator: "\n")]

    /// The newest version that this program knows.
    static var newest: Int { migrations.count }

    /// The oldest version whose programs can work with the newest one.
    static let usableFrom = 1

    /// The key of the advisory lock that only one migration holds at a time: "IPRC", as in the local database.
    private static let lockKey = 0x4950_5243

    /// The statements that create or migrate the schema, within a transaction.
    static var migration: String {
        let steps = migrations.enumerated().map { index, migration in
            """
            IF found <= \(index) THEN EXECUTE $migration$
            \(migration)
            $migration$; END IF;
            """
        }
        return """
            SELECT pg_advisory_xact_lock(\(lockKey));
            DO $init$
            DECLARE found bigint := 0;
            BEGIN
              IF to_regnamespace('iprecord') IS NULL THEN CREATE SCHEMA iprecord; END IF;
              IF to_regclass('iprecord.version') IS NOT NULL THEN
                SELECT version INTO STRICT found FROM iprecord.version;
              END IF;
              IF found > \(newest) THEN
                RAISE EXCEPTION 'the schema has version %, and this program knows versions up to \(newest)', found
                  USING ERRCODE = '\(FleetSQLState.schemaNewer)', DETAIL = found;
              END IF;
              \(steps.joined(separator: "\n"))
              UPDATE iprecord.version SET version = \(newest), usable_from = \(usableFrom)
              WHERE version <> \(newest);
            END $init$;
            """
    }

    /// The statements that give a role the privileges of a node. It can neither change the schema nor create fleets.
    static func grants(to role: String) -> String {
        let role = "\"\(role.replacing("\"", with: "\"\""))\""
        return """
            GRANT USAGE ON SCHEMA iprecord TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA iprecord TO \(role);
            REVOKE INSERT, DELETE ON iprecord.fleet FROM \(role);
            REVOKE INSERT, UPDATE, DELETE ON iprecord.version FROM \(role);
            GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA iprecord TO \(role)
            """
    }
}
