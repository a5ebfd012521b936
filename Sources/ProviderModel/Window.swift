package import RecordKeeping

/// A quota window of one endpoint. It opens with a request, lasts for a fixed time, and allows a fixed number of
/// requests.
///
/// The documentation describes only `X-Rl` and `X-Ttl`. Observation showed that a window opens with the first request
/// after the end of the previous window.
package struct Window: Hashable, Sendable {
    /// The state of a window as the headers report it.
    package struct Reported: Hashable, Sendable {
        package let remaining: Int
        /// The seconds left, rounded down as in the provider's headers: the window ends within one second after this
        /// time.
        package let wholeSeconds: Int64
    }

    package private(set) var limit: Int
    /// The limit of the next window; nil if it stays the same.
    private var nextLimit: Int?
    package let length: Duration
    private var opened: BootTime?
    private var spent = 0

    package init(limit: Int, length: Duration) {
        self.limit = limit
        self.length = length
    }

    /// Changes the limit from the next window on.
    package mutating func setLimit(_ limit: Int) { nextLimit = limit }

    /// The limit of the next window.
    package var upcomingLimit: Int { nextLimit ?? limit }

    /// Counts one request. Returns false, and counts nothing, if the window allows no more.
    package mutating func spend(at now: BootTime) -> Bool {
        if opened.map({ now - $0 >= length }) ?? true {
            opened = now
            spent = 0
            limit = nextLimit ?? limit
            nextLimit = nil
        }
        guard spent < limit else { return false }
        spent += 1
        return true
    }

    package func reported(at now: BootTime) -> Reported {
        guard let opened, now - opened < length else {
            return Reported(remaining: limit, wholeSeconds: length.components.seconds)
        }
        return Reported(remaining: limit - spent, wholeSeconds: (length - (now - opened)).components.seconds)
    }
}
