/// The types whose values are decoded, with their object identifiers (the catalogue pg_type, fixed in pg_type.dat of
/// PostgreSQL's sources).
enum SQLType: UInt32 {
    case bool = 16
    case bytea = 17
    case name = 19
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case oid = 26
    case json = 114
    case unknown = 705
    case bpchar = 1_042
    case varchar = 1_043
}
