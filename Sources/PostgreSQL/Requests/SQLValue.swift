/// A value in a statement or in a row.
///
/// The server's integers of 2, 4 and 8 bytes are `integer`. A value of any type that has no case here is `text`, in the
/// server's notation.
package enum SQLValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
}
