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

    init(of entry: Entry, with answer: Answer) {
        guard let scan = entry.scan, !entry.omissions.isEmpty || scan.answer.record != answer.record else {
            (changes, omissions) = ([], [])
            return
        }
        let (older, newer) = (scan.answer.record ?? Record(), answer.record ?? Record())
        let omitted = Dictionary(entry.omissions.map { ($0.field, $0.old) }) { first, _ in first }
        // If the provider says that it has no record, that is not an omission. It counts at once.
        let mayOmit = answer.record != nil
        var (changes, omissions): ([FieldChange], [FieldChange]) = ([], [])
        for field in Record.Field.allCases {
            let name = field.rawValue
            let (old, new) = (omitted[name] ?? older.text(of: field), newer.text(of: field))
            guard old != new else { continue }
            let change = FieldChange(field: name, old: old, new: new)
            if new == nil, mayOmit, omitted[name] == nil { omissions.append(change) } else { changes.append(change) }
        }
        (self.changes, self.omissions) = (changes, omissions)
    }
}
