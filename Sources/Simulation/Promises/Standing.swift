/// What clients were promised of one address, as far as it can be known from outside.
struct Standing {
    var isWatched = false
    /// A change was under way when the daemon was killed or refused it for want of a disk: it may have happened or not.
    var isUncertain = false
    /// A change whose client has hung up may still be on its way, and be done after others that were asked for later.
    private var mayComeLate = false
    /// How many changes were ever asked for.
    private(set) var changes = 0
    /// Changes that have had no answer.
    private var open = 0
    /// Several changes were under way at once, in an order that only the daemon knows.
    private var isContested = false

    /// Whether it is known for sure.
    var isSettled: Bool { open == 0 && !isUncertain }
    /// Whether the one change that was answered right now is the only one that there was.
    var isAlone: Bool { open == 0 && !isContested }

    mutating func begin() {
        if open > 0 { isContested = true }
        open += 1
        changes += 1
    }

    /// - Parameter isWatchedNow: what the acknowledgement promises; nil where the change was refused.
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

    /// - Parameter mayComeLate: the daemon is still there, and may get to read it.
    mutating func loseAnswer(mayComeLate: Bool) {
        open -= 1
        isUncertain = true
        if mayComeLate { self.mayComeLate = true }
        if open == 0 { isContested = false }
    }

    /// The daemon is gone, and with it everything that it had not read.
    mutating func forgetLate() {
        mayComeLate = false
    }
}
