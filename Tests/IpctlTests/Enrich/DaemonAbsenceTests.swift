import Testing

@testable import ipctl

/// The attempts to reconnect, and the waits of lines, while the daemon is away.
@Suite struct DaemonAbsenceTests {
    private func remaining(
        _ absence: DaemonAbsence, at now: Int64, isConnected: Bool = false, isPassingOn: Bool = false
    ) -> Int32? {
        absence.remaining(at: now, isConnected: isConnected, isPassingOn: isPassingOn)
    }

    @Test func `attempts are made after growing delays`() {
        var absence = DaemonAbsence(at: 1_000, isSilent: false)
        var (now, delays) = (Int64(1_000), [Int32]())
        for _ in 0..<8 {
            let delay = remaining(absence, at: now, isPassingOn: true) ?? -1
            delays.append(delay)
            #expect(!absence.isAttemptDue(at: now + Int64(delay) - 1))
            now += Int64(delay)
            #expect(absence.isAttemptDue(at: now))
            absence.postponeAttempt(at: now)
        }
        #expect(delays == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
    }

    @Test func `an attempt or an end that is due is not slept through`() {
        let absence = DaemonAbsence(at: 1_000, isSilent: false)
        #expect(remaining(absence, at: 1_100) == 0)
        #expect(remaining(absence, at: 1_101) == 0)
        #expect(remaining(absence, at: 6_000, isConnected: true) == 0)
    }

    @Test func `lines wait for five seconds, or not at all for a daemon that was silent`() {
        let closed = DaemonAbsence(at: 1_000, isSilent: false)
        #expect(!closed.endsWaits(at: 5_999))
        #expect(closed.endsWaits(at: 6_000))
        #expect(remaining(closed, at: 1_000, isConnected: true) == 5_000)
        #expect(DaemonAbsence(at: 1_000, isSilent: true).endsWaits(at: 1_000))
    }

    @Test func `on a new connection, only the reply is awaited once lines pass`() {
        let absence = DaemonAbsence(at: 1_000, isSilent: false)
        #expect(remaining(absence, at: 7_000, isConnected: true, isPassingOn: true) == nil)
    }
}
