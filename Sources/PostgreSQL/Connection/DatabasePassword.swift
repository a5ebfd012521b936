/// A password for the database: a secret that is printed as dots.
package struct DatabasePassword: Hashable, Sendable {
    let secret: String

    package init(_ secret: String) {
        self.secret = secret
    }
}

extension DatabasePassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "•••" }
    package var debugDescription: String { "•••" }
    /// A mirror without children, so that `dump()` and a failed expectation of a test do not print the secret either.
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
