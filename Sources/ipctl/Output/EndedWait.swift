import Control
import RecordKeeping

/// The end of a wait for records. It explains why an entry has no newer record if the daemon reports no reason, because
/// the call is still due or in flight.
struct EndedWait {
    /// The time for which the command was asked to wait, in milliseconds.
    let milliseconds: Int64
    /// Whether the daemon replied before that time had passed.
    let isEarly: Bool

    /// Returns the reason for an entry; nil if its record is current, or if the daemon has reported a reason.
    func reason(for entry: Interface.Entry) -> String? {
        guard entry.failure == nil, [EntryState.loading, .stale].map(\.rawValue).contains(entry.state) else {
            return nil
        }
        let wait = "the wait of \(Times.exactSpan(milliseconds: milliseconds)) (--wait)"
        return isEarly
            ? "the daemon ended \(wait) early; too many requests may be waiting" : "no new record within \(wait)"
    }
}
