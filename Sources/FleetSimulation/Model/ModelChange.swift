/// A change of the watch list that a client requests.
struct ModelChange: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case add, remove }

    let kind: Kind
    let address: Int
    /// The number of the request in the simulation.
    let token: Int
}
