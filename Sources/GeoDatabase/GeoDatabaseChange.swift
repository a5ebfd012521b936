/// A difference that a reload found.
package enum GeoDatabaseChange: Hashable, Sendable {
    case opened(GeoDatabaseFile)
    case replaced(GeoDatabaseFile, with: GeoDatabaseFile)
    /// A file cannot be used. `kept` is the previous version, which stays in use.
    case failed(GeoDatabaseError, kept: GeoDatabaseFile?)
    /// A file whose replacement failed is present again in the version that is in use.
    case restored(GeoDatabaseFile)
}
