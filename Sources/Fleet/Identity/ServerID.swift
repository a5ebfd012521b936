/// The identity of a database server's history.
package struct ServerID: Hashable, Sendable {
    /// The identifier of the cluster (`pg_control_system()`).
    package let system: UInt64
    /// The timeline of `pg_walfile_name(pg_current_wal_lsn())`, which changes at each promotion. The control file lags
    /// behind.
    package let timeline: Int

    package init(system: UInt64, timeline: Int) {
        (self.system, self.timeline) = (system, timeline)
    }
}
