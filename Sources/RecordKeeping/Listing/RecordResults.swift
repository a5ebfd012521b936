/// The results of one function for one part of many records. For an interned part, the function is called once.
struct RecordResults<Result: Sendable>: Sendable {
    private let part: Record.Part
    private var results = InternedResults<Result>()

    init(of part: Record.Part) {
        self.part = part
    }

    /// Returns the result for the record of an entry.
    ///
    /// - Parameter compute: is passed a record in which only the part is certain; nil if the entry has no record.
    mutating func of(_ slot: PackedSlot, _ values: InternedValues, _ compute: (Record?) -> Result) -> Result {
        switch part {
        case .place: results.of(slot.place, in: values.places) { compute($0.map { Record(place: $0) }) }
        case .network: results.of(slot.network, in: values.networks) { compute($0.map { Record(network: $0) }) }
        case .own: compute(slot.answer(values)?.record)
        }
    }

    /// Frees the results so far.
    mutating func forget() {
        results = InternedResults()
    }
}
