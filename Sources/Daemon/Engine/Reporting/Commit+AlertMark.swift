import RecordKeeping

extension Commit {
    /// Returns this commit with its mark of logged alerts lowered below `seq`, the seq of the oldest alert that is
    /// held: otherwise, if the process crashed or were killed, that alert would never be logged. Returns the commit
    /// unchanged if `seq` is nil, or if the commit has no mark or a lower one.
    func markingAlerts(below seq: Int64?) -> Commit {
        let mark = writes.lastIndex { if case .alertsLogged = $0 { true } else { false } }
        guard let seq, let mark, case .alertsLogged(let last) = writes[mark], last >= seq else { return self }
        var writes = writes
        writes[mark] = .alertsLogged(through: seq - 1)
        return Commit(id: id, writes: writes)
    }
}
