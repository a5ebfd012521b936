/// The body of a journal row.
struct ModelCommit: Hashable, Sendable {
    var changes: [ModelChange] = []
    var records: [ModelRecord] = []
    /// The addresses whose calls are reserved.
    var reserved: [Int] = []
    var left: Int
}
