import Control

extension ExitStatus {
    /// The worst status of several entries: `done` if each entry has a record, `tryLater` if one may still get a
    /// record.
    init(of entries: [Interface.Entry]) {
        self = entries.reduce(.done) { $0.worse(ExitStatus(of: $1)) }
    }

    private init(of entry: Interface.Entry) {
        // A failure is never a final answer: the daemon retries, and an administrator can correct a rejected key.
        self = entry.record != nil ? .done : entry.state == "empty" ? .negative : .tryLater
    }

    /// Returns the more severe of two statuses.
    func worse(_ other: ExitStatus) -> ExitStatus {
        rawValue >= other.rawValue ? self : other
    }
}
