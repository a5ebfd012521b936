import RecordKeeping

extension Commit {
    /// This commit with a mark of logged alerts that stays below `seq`, the seq of an alert that is held back: it would be lost
    /// with the process. Without `seq`, or without a mark, the commit itself.
    func markingAlerts(below seq: Int64?) -> Commit {
        let mark = writes.lastIndex { if case .alertsLogged = $0 { true } else { false } }
        guard let seq, let mark, case .alertsLogged(let last) = writes[mark], last >= seq else { return self }
        var writes = writes
        writes[mark] = .alertsLogged(through: seq - 1)
        return Commit(id: id, writes: writes)
    }
}
