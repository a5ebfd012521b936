/// A version of the local databases from which records are read.
package struct DataVersion: Hashable, Sendable {
    /// Identifies the contents of the databases, also after a restart. It is saved with each record.
    package struct ID: Hashable, Sendable {
        package let number: Int64
        package init(number: Int64) { self.number = number }
    }

    package let id: ID
    /// The provider's name in records: the types of the databases, such as "GeoLite2-City, GeoLite2-ASN".
    package let name: String

    package init(id: ID, name: String) {
        self.id = id
        self.name = name
    }
}
