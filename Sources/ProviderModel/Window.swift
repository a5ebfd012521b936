package import RecordKeeping

/// A quota window of one endpoint: it opens with a request, is open for a fixed time, and allows so many requests.
///
/// The documentation says no more than `X-Rl` and `X-Ttl`; that a window opens with the first request after the last
/// one's end is what is observed.
package struct Window: Hashable, Sendable {
    /// What is told of the window in the headers.
    package struct Told: Hashable, Sendable {
        package let remaining: Int
        /// Rounded down, as the provider does: the window ends within the second after.
        package let wholeSeconds: Int64
    }

    package let limit: Int
    package let length: Duration
    private var opened: BootTime?
    private var spent = 0

    package init(limit: Int, length: Duration) {
        self.limit = limit
        self.length = length
    }

    /// Counts one request; false where the window allows no more, and then nothing is counted.
    package mutating func spend(at now: BootTime) -> Bool {
        if opened.map({ now - $0 >= length }) ?? true {
            opened = now
            spent = 0
        }
        guard spent < limit else { return false }
        spent += 1
        return true
    }

    package func told(at now: BootTime) -> Told {
        guard let opened, now - opened < length else {
            return Told(remaining: limit, wholeSeconds: length.components.seconds)
        }
        return Told(remaining: limit - spent, wholeSeconds: (length - (now - opened)).components.seconds)
    }
}
