import RecordKeeping
import Simulation

/// The provider's quota: the first request opens a window.
struct SimulatedQuota {
    let window: Duration
    private var openedAt: Moment?
    private(set) var count = 0

    init(window: Duration) {
        self.window = window
    }

    /// Counts a request, and returns the time until the window ends.
    mutating func count(at moment: Moment) -> Duration {
        if let openedAt, moment - openedAt < window {
            count += 1
            return window - (moment - openedAt)
        }
        (openedAt, count) = (moment, 1)
        return window
    }
}
