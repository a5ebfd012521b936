import Control
import RecordKeeping
import Varlink

/// Turns entries of the daemon into answers: their fields, and whether their lines are kept.
///
/// A record that is not fresh is never added without its state, and a record from local databases never without the
/// word "offline" or the names of the databases.
struct EntryAnswers {
    /// The fields and their form. Rows of CSV always have a column for the state.
    let addition: FieldAddition
    /// The names of the requested fields, without a column that was added.
    private let requested: [String]
    /// The conditions of the filters; nil for none.
    var conditions: EntryConditions?
    /// Whether only lines with an address with known fields are kept.
    var requiresFields = false
    var terminal = Terminal(hasColor: false, columns: nil)
    /// Whether records that are not fresh are replaced by lookups.
    var looksUp = false

    init(_ addition: FieldAddition) {
        requested = addition.names
        let needsColumn = addition.format == .csv && !addition.names.contains(Self.stateName)
        self.addition = needsColumn ? addition.adding(Self.stateName) : addition
    }

    /// The field that marks a record that is not fresh.
    static let stateName = "state"
    /// The field that names the local databases of a record.
    private static let offlineName = "offline"
    /// Milliseconds for which an answer is used: a log usually repeats an address soon, and labels may change.
    static let maxUse: Int64 = 10_000
    /// Milliseconds for which an answer is used that may soon be replaced: there is no fresh record, or the age is
    /// among the fields.
    static let minUse: Int64 = 1_000

    /// Whether all lines are kept.
    var keepsAllLines: Bool { conditions == nil && !requiresFields }

    /// Sets an answer after a reply.
    ///
    /// - Parameters:
    ///   - entry: nil if the daemon knows nothing about the address.
    ///   - hasChanged: whether the fields of `changedFields` have changed.
    ///   - isFinal: whether the provider's reply has been awaited, or is not to be.
    ///   - now: the time of the monotonic clock in milliseconds.
    ///   - wallNow: milliseconds since 1970.
    func set(
        _ answer: AddressAnswer, to entry: Interface.Entry?, hasChanged: Bool = true, isFinal: Bool, now: Int64,
        wallNow: Int64
    ) {
        answer.fields = entry.flatMap { rendered($0, for: answer.address, wallNow: wallNow) }
        let matches = conditions.map { entry.map($0.matches) ?? $0.matchesUnknown(answer.address) } ?? true
        answer.isSelected = matches && hasChanged && (!requiresFields || answer.fields != nil)
        let isCurrent = entry.map(Self.isCurrent) ?? false
        guard isCurrent || isFinal || !looksUp else {
            answer.phase = .awaited
            return
        }
        let rest = isCurrent ? entry?.expiresAt.map { max(0, $0.clampedSubtracting(wallNow)) } : nil
        let use = isCurrent && !addition.names.contains("age") ? Self.maxUse : Self.minUse
        answer.complete(until: now + min(use, rest ?? use))
    }

    /// Whether an entry has a fresh answer of the provider, or a special-purpose address.
    private static func isCurrent(_ entry: Interface.Entry) -> Bool {
        [EntryState.fresh, .empty].map(\.rawValue).contains(entry.state)
    }

    private func rendered(_ entry: Interface.Entry, for address: IPAddress, wallNow: Int64) -> RenderedFields? {
        let values = EntryValues(entry: entry, now: wallNow)
        guard requested.contains(where: { values[$0] != nil }) else { return nil }
        let marks = marks(of: entry)
        var addition = addition
        // Rows of CSV cannot have a column more than others.
        if addition.format != .csv, addition.template == nil { marks.forEach { addition = addition.adding($0) } }
        let words = marks.map { $0 == Self.stateName ? entry.state : $0 }
        let mark = words.isEmpty || addition.template == nil ? "" : " (\(words.joined(separator: ", ")))"
        let style = Self.isCurrent(entry) ? TextStyle.dim : StateMark.style(of: entry.state)
        addition.style = { [terminal] text in terminal.styled(text + mark, style) }
        let state = marks.contains(Self.offlineName) ? "\(entry.state), \(Self.offlineName)" : entry.state
        return addition.rendered(for: address) { name in
            addition.format == .csv && name == Self.stateName ? .string(state) : values[name]
        }
    }

    /// Returns the names of the fields that mark a record as stale or as one from local databases, without those that
    /// are among the fields.
    private func marks(of entry: Interface.Entry) -> [String] {
        let offline = entry.substitute?.record
        let isOffline = addition.names.contains { name in
            Record.Field(rawValue: name).map { offline?[$0] != nil } ?? false
        }
        let isMarked = isOffline || !Self.isCurrent(entry) && entry.record != nil
        let marks = (isMarked ? [Self.stateName] : []) + (isOffline ? [Self.offlineName] : [])
        return marks.filter { !addition.names.contains($0) }
    }
}
