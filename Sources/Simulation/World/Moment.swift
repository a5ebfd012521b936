import RecordKeeping

/// True time, which nobody in the simulated machine can read: nanoseconds since the simulation began.
package struct Moment: Hashable, Comparable, Sendable {
    package var nanoseconds: Int64

    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    package static let start = Moment(nanoseconds: 0)

    package static func < (a: Moment, b: Moment) -> Bool { a.nanoseconds < b.nanoseconds }
    package static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(nanoseconds: moment.nanoseconds + duration.wholeNanoseconds)
    }
    package static func - (a: Moment, b: Moment) -> Duration { .nanoseconds(a.nanoseconds - b.nanoseconds) }
}

extension Moment: CustomStringConvertible {
    /// "1 03:25:45.678": days, then the time of day.
    package var description: String {
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let milliseconds = nanoseconds / 1_000_000
        let (days, hours) = (milliseconds / 86_400_000, milliseconds / 3_600_000 % 24)
        let (minutes, seconds) = (milliseconds / 60_000 % 60, milliseconds / 1_000 % 60)
        let time = [hours, minutes, seconds].map { padded($0, 2) }.joined(separator: ":")
        return "\(days) \(time).\(padded(milliseconds % 1_000, 3))"
    }
}
