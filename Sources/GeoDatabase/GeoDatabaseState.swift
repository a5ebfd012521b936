/// The state of a configured file.
package struct GeoDatabaseState: Hashable, Sendable {
    package let path: String
    /// The version in use; nil if there is none.
    package let file: GeoDatabaseFile?
    /// The reason why the present version cannot be used; nil if it is in use, or if no version has been read yet.
    package let failure: GeoDatabaseError?
}
