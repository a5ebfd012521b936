import Control

extension ExitStatus {
    /// What entries are worth as an answer: done where each has a record, try later where one may come by waiting.
    init(of entries: [Interface.Entry]) {
        self = entries.reduce(.done) { $0.worse(ExitStatus(of: $1)) }
    }

    private init(of entry: Interface.Entry) {
        if entry.record != nil {
            self = .done
        } else if entry.state == "empty" {
            self = .notAsAsked
        } else {
            self = entry.failure.map { Self.passing.contains($0.kind) } ?? true ? .tryLater : .notAsAsked
        }
    }

    /// The one that a script has to know of.
    func worse(_ other: ExitStatus) -> ExitStatus {
        rawValue >= other.rawValue ? self : other
    }

    /// Failures that pass by themselves.
    private static let passing: Set<String> = ["offline", "unreachable", "timeout", "throttled"]
}
