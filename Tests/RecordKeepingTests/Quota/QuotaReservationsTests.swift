import Testing

@testable import RecordKeeping

@Suite struct QuotaReservationsTests {
    @Test func `a reservation is wanted, then being committed, then on disk, then used`() {
        var reservations = QuotaReservations()
        reservations.want(2)
        reservations.began()
        reservations.want(1)
        #expect(reservations == QuotaReservations(wanted: 1, reserving: 2, reserved: 0))
        #expect(reservations.uncommitted == 3)
        reservations.committed()
        #expect(reservations == QuotaReservations(wanted: 1, reserving: 0, reserved: 2))
        reservations.use()
        #expect(reservations.count == 2 && reservations.uncommitted == 1)
    }

    @Test func `a failed commit reserves nothing`() {
        var reservations = QuotaReservations(wanted: 1, reserving: 2, reserved: 3)
        reservations.failed()
        #expect(reservations == QuotaReservations(wanted: 1, reserving: 0, reserved: 3))
    }

    @Test func `a call without a reservation uses none`() {
        var reservations = QuotaReservations()
        reservations.use()
        #expect(reservations.count == 0)
    }

    @Test func `reservations on disk end with their window, and all of them if the window was not used`() {
        var used = QuotaReservations(wanted: 1, reserving: 2, reserved: 3)
        var unused = used
        used.windowEnded(isUnused: false)
        #expect(used == QuotaReservations(wanted: 1, reserving: 2, reserved: 0))
        unused.windowEnded(isUnused: true)
        #expect(unused.count == 0)
    }
}
