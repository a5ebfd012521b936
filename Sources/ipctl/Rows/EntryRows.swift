import Varlink

/// The entries of a reply as rows, with the fields of their records.
struct EntryRows {
    /// The parameters of the reply.
    let parameters: Value

    init(of parameters: Value) {
        self.parameters = parameters
    }

    private var entries: [Value] {
        if case .array(let entries)? = parameters["entries"] { entries } else { [] }
    }

    var rows: [(String) -> Value?] { entries.map { entry in { name in entry[name] ?? entry["record"]?[name] } } }

    /// The reply without some of its entries.
    func keeping(_ isKept: [Bool]) -> EntryRows {
        guard isKept.contains(false), case .object(var members) = parameters else { return self }
        members["entries"] = .array(zip(entries, isKept).filter(\.1).map(\.0))
        return EntryRows(of: .object(members))
    }
}
