/// Calls that are reserved on disk before they are sent, so that they count as spent after a crash.
struct QuotaReservations: Hashable, Sendable {
    /// Calls to reserve with the next commit.
    private(set) var wanted = 0
    /// Calls that the commit in progress reserves.
    private(set) var reserving = 0
    /// Calls that are reserved on disk and not sent yet.
    private(set) var reserved = 0

    /// Calls whose reservation is not on disk yet.
    var uncommitted: Int { wanted + reserving }
    var count: Int { uncommitted + reserved }

    mutating func want(_ count: Int) {
        wanted += count
    }

    /// Records that the commit in preparation contains the wanted reservations.
    mutating func began() {
        reserving += wanted
        wanted = 0
    }

    mutating func committed() {
        reserved += reserving
        reserving = 0
    }

    mutating func failed() {
        reserving = 0
    }

    /// Uses a reservation, if there is one, for a call that is sent.
    mutating func use() {
        reserved = max(0, reserved - 1)
    }

    /// Drops the reservations of a window that has ended.
    ///
    /// - Parameter isUnused: whether no call was sent in the window, which then ended because its reservations expired.
    mutating func windowEnded(isUnused: Bool) {
        self = isUnused ? QuotaReservations() : QuotaReservations(wanted: wanted, reserving: reserving)
    }
}
