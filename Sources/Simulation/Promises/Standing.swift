/// The promised state of an address on the watch list, or of its pin, as far as the state is known outside the daemon.
struct Standing {
    var isWatched = false
    /// Whether the outcome of a change is unknown: the change was never answered, or its order among other changes is
    /// not known.
    var isUncertain = false
    /// Whether a change whose client has hung up may still take effect, even after changes that were requested later.
    private var mayComeLate = false
    /// The number of changes ever requested.
    private(set) var changes = 0
    /// Changes without a reply so far.
    private var open = 0
    /// Whether several changes were open at once, in an order that only the daemon knows.
    private var isContested = false

    /// Whether the state is known with certainty.
    var isResolved: Bool { open == 0 && !isUncertain }
    /// Whether the change that was just answered was the only open one.
    var isAlone: Bool { open == 0 && !isContested }

    mutating func begin() {
        if open > 0 { isContested = true }
        open += 1
        changes += 1
    }

    /// - Parameter isWatchedNow: the acknowledged state; nil if the change was refused.
    mutating func end(_ isWatchedNow: Bool?) {
        open -= 1
        if isContested || mayComeLate {
            isUncertain = true
        } else if let isWatchedNow {
            isWatched = isWatchedNow
            isUncertain = false
        }
        if open == 0 { isContested = false }
    }

    /// - Parameter mayComeLate: whether the daemon is still running, and may read the request later.
    mutating func loseAnswer(mayComeLate: Bool) {
        open -= 1
        isUncertain = true
        if mayComeLate { self.mayComeLate = true }
        if open == 0 { isContested = false }
    }

    /// Handles the exit of the daemon, after which requests that it has not read cannot take effect.
    mutating func forgetLate() {
        mayComeLate = false
    }
}
