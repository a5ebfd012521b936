/// The comparison of an entry with a new answer.
///
/// The provider sometimes leaves a field out of one reply and reports it again in the next. A field therefore counts as
/// unchanged until two replies in a row leave it out. The record is always what the last reply said; only the history
/// waits.
struct AnswerComparison {
    /// The changes to add to the history, in the order in which the control interface lists the fields.
    let changes: [FieldChange]
    /// The fields that the new answer leaves out, and the answer before it did not: the next value of
    /// `Entry.omissions`.
    let omissions: [FieldChange]

    private static let fields = Record.Field.allCases.map { (field: $0, read: $0.reader) }

    init(of entry: Entry, with answer: Answer) {
        guard let scan = entry.scan, !entry.omissions.isEmpty || scan.answer.record != answer.record else {
            (changes, omissions) = ([], [])
            return
        }
        let (older, newer) = (scan.answer.record ?? Record(), answer.record ?? Record())
        let omitted = Dictionary(entry.omissions.map { ($0.field, $0.old) }) { first, _ in first }
        // If the provider says that it has no record, that is not an omission. It counts at once.
        let mayOmit = answer.record != nil
        // In most records, the place or the network stays the same, so its fields need not be compared one by one.
        let keepsPlace = omitted.isEmpty && older.place == newer.place
        let keepsNetwork = omitted.isEmpty && older.network == newer.network
        var (changes, omissions): ([FieldChange], [FieldChange]) = ([], [])
        for (field, read) in Self.fields {
            switch field.storage {
            case .place where keepsPlace, .offset where keepsPlace, .network where keepsNetwork,
                .asn where keepsNetwork:
                continue
            case .place, .offset, .network, .asn, .degrees, .own, .flag: break
            }
            let name = field.rawValue
            let (old, new) = (omitted[name] ?? read(older)?.description, read(newer)?.description)
            guard old != new else { continue }
            let change = FieldChange(field: name, old: old, new: new)
            if new == nil, mayOmit, omitted[name] == nil { omissions.append(change) } else { changes.append(change) }
        }
        (self.changes, self.omissions) = (changes, omissions)
    }
}
