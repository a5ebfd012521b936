import Control

/// A line in the list of events: an event, or several consecutive refreshes.
///
/// Without merging, many refreshes would displace more important events.
struct TopEvent: Hashable {
    /// The last event of the line.
    private(set) var event: Interface.Event
    private(set) var count = 1
    private let beganAt: Int64

    /// The maximum time that a line covers, so that new lines show continuing activity.
    private static let maxMilliseconds: Int64 = 10_000
    private static let refreshed = "refreshed"

    init(_ event: Interface.Event) {
        self.event = event
        beganAt = event.at
    }

    /// Adds an event to the line.
    ///
    /// - Returns: false if the event needs a line of its own.
    mutating func merge(_ next: Interface.Event) -> Bool {
        guard event.kind == Self.refreshed, next.kind == Self.refreshed,
            (0..<Self.maxMilliseconds).contains(next.at.clampedSubtracting(beganAt))
        else { return false }
        event = next
        count += 1
        return true
    }

    func sentence(at now: Int64) -> String {
        let last = EventLine(event: event, now: now).sentence
        return count == 1 ? last : "\(Times.grouped(count)) new records; the last: \(last)"
    }
}
