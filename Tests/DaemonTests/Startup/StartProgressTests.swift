import Testing

@testable import Daemon

@Suite struct StartProgressTests {
    @Test func `progress is reported at once, and then at most twice a second`() {
        let reports = Tally()
        let progress = StartProgress { reports.note() }
        let now = ContinuousClock.now
        for milliseconds in 0...1_400 { progress.report(at: now + .milliseconds(milliseconds)) }
        #expect(reports.count == 3)
    }
}
