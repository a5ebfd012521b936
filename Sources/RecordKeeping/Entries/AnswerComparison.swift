/// The comparison of an entry with a new answer.
///
/// A remote provider sometimes leaves a field out of one reply and reports it again in the next. A field that a reply
/// leaves out therefore counts as unchanged until the next reply leaves it out as well. Only the history is delayed;
/// the record always matches the last reply. Answers of different sources are not compared (`Scan.isComparable(to:)`).
struct AnswerComparison {
    /// The changes to add to the history, in the order in which the control interface lists the fields.
    let changes: [FieldChange]
    /// The fields that the new answer leaves out, but the previous answer contained: the next value of
    /// `Entry.omissions`.
    let omissions: [FieldChange]

    private static let fields = Record.Field.allCases.map { (field: $0, read: $0.reader) }

    init(of entry: Entry, with new: Scan) {
        let answer = new.answer
        guard let scan = entry.scan, scan.isComparable(to: new),
            !entry.omissions.isEmpty || scan.answer.record != answer.record
        else {
            (changes, omissions) = ([], [])
            return
        }
        let (older, newer) = (scan.answer.record ?? Record(), answer.record ?? Record())
        let omitted = Dictionary(entry.omissions.map { ($0.field, $0.old) }) { first, _ in first }
        // If the provider reports that it has no record, the missing fields are changes, not omissions. Local databases
        // give the same reply until they change, so there is no next reply to wait for.
        let mayOmit = answer.record != nil && new.version == nil
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
