import Control

/// The reason for a missing newer record, with the time of the next attempt, as text.
struct FailureText {
    let failure: Interface.Failure
    /// Whether the address is on the watch list, so that the daemon retries by itself.
    let isWatched: Bool
    let now: Int64

    /// The text for an entry; nil if the entry has no failure.
    init?(of entry: Interface.Entry, now: Int64) {
        guard let failure = entry.failure else { return nil }
        (self.failure, isWatched, self.now) = (failure, entry.watched, now)
    }

    /// "Waiting" if the call is postponed, and "Failure" if a call has failed.
    var label: String { isPostponed ? "Waiting" : "Failure" }

    var sentence: String {
        var text = failure.message
        if failure.attempts > 1, !isPostponed { text += " (\(Times.grouped(failure.attempts)) times in a row)" }
        if let next = failure.nextAttemptAt {
            // The message ends with the words "until the next window", so only its time is added.
            text += failure.kind == "quotaExhausted" ? ", " : "; next try "
            text += Times.ahead(next, from: now)
        } else if failure.kind == "offline", isWatched {
            text += "; next try when the network is back"
        }
        return text
    }

    private var isPostponed: Bool { ["quotaExhausted", "storeFailed"].contains(failure.kind) }
}
