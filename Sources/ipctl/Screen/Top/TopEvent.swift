import Control

/// One line of the last events: an event, or new records that came one after the other.
///
/// Otherwise a hundred refreshes that went well would push out the one change that somebody waits for.
struct TopEvent: Hashable {
    /// The last of them.
    private(set) var event: Interface.Event
    private(set) var count = 1
    private let beganAt: Int64

    /// A line tells of so long at most, so that one sees that it goes on.
    private static let longestMilliseconds: Int64 = 10_000
    private static let refreshed = "refreshed"

    init(_ event: Interface.Event) {
        self.event = event
        beganAt = event.at
    }

    /// Takes one more into this line.
    ///
    /// - Returns: false where it needs a line of its own.
    mutating func take(_ next: Interface.Event) -> Bool {
        guard event.kind == Self.refreshed, next.kind == Self.refreshed,
            (0..<Self.longestMilliseconds).contains(next.at - beganAt)
        else { return false }
        event = next
        count += 1
        return true
    }

    func sentence(at now: Int64) -> String {
        let last = EventLine(event, now: now).sentence
        return count == 1 ? last : "\(Times.grouped(count)) addresses have new records; the last: \(last)"
    }
}
