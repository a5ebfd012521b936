/// The key of a fleet's row in the database. It stays the same for as long as the row exists, also in copies of the
/// database.
package struct FleetKey: Hashable, Sendable {
    let number: Int64
}
