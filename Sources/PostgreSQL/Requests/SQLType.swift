/// The types whose values are decoded, with their object identifiers (the catalogue pg_type, fixed in pg_type.dat of
/// PostgreSQL's sources).
enum SQLType: UInt32 {
    case bool = 16
    case bytea = 17
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case oid = 26
}
