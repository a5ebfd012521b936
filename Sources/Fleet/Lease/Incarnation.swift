/// A history of the database, which ends when commits may be missing.
package struct Incarnation: Hashable, Sendable {
    /// A number that each new incarnation increments.
    package let number: Int64
    /// A random id: after two restores, two incarnations can have the same number.
    package let id: UniqueID

    package init(number: Int64, id: UniqueID) {
        (self.number, self.id) = (number, id)
    }

    /// The value of a node that has not seen an incarnation yet.
    package static let none = Incarnation(number: -1, id: .none)

    /// Whether a row with this incarnation belongs to an outdated history for a node that has seen another incarnation.
    func isOutdated(by seen: Incarnation) -> Bool {
        number < seen.number || (number == seen.number && id != seen.id)
    }
}
