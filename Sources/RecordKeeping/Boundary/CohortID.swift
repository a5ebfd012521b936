/// The id of a cohort in the store: the id of its row in the table `scan`. A new cohort never gets an id to which a
/// stored record already refers, so that an unreadable record never appears to come from a later call.
package struct CohortID: Hashable, Comparable, Sendable {
    package let number: Int64
    package init(number: Int64) { self.number = number }
    package static func < (a: Self, b: Self) -> Bool { a.number < b.number }
}
