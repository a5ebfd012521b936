import Control

extension ExitStatus {
    /// The worst status of several entries: `done` if each entry has a record, `tryLater` if one may still get a
    /// record.
    init(of entries: [Interface.Entry]) {
        self = entries.reduce(.done) { $0.worse(ExitStatus(of: $1)) }
    }

    private init(of entry: Interface.Entry) {
        if entry.record != nil {
            self = .done
        } else if entry.state == "empty" {
            self = .negative
        } else {
            self = entry.failure.map { Self.temporary.contains($0.kind) } ?? true ? .tryLater : .negative
        }
    }

    /// The more severe of two statuses.
    func worse(_ other: ExitStatus) -> ExitStatus {
        rawValue >= other.rawValue ? self : other
    }

    /// Failures after which a later attempt may succeed.
    private static let temporary: Set<String> = ["offline", "unreachable", "timeout", "throttled"]
}
