import ProviderModel
import RecordKeeping
import Testing

@Suite struct WindowTests {
    @Test func `a window opens with its first request and ends a fixed time later`() {
        var window = Window(limit: 2, length: .seconds(60))
        func seconds(_ seconds: Double) -> BootTime { after(seconds).boot }
        let first = window.spend(at: seconds(100))
        let second = window.spend(at: seconds(159))
        let third = window.spend(at: seconds(159.999))
        let fourth = window.spend(at: seconds(160))
        #expect([first, second, third, fourth] == [true, true, false, true])
        #expect(window.reported(at: seconds(160)).remaining == 1)
    }

    @Test func `the reported time until the end is rounded down to whole seconds`() {
        var window = Window(limit: 5, length: .seconds(60))
        #expect(window.reported(at: after(0).boot).wholeSeconds == 60)
        _ = window.spend(at: after(0).boot)
        let reported = [0, 0.001, 1, 59.5].map { window.reported(at: after($0).boot).wholeSeconds }
        #expect(reported == [60, 59, 59, 0])
        #expect(window.reported(at: after(60).boot).remaining == 5)
    }

    @Test func `a window with a limit of 0 allows no request`() {
        var window = Window(limit: 0, length: .seconds(60))
        let isAllowed = window.spend(at: after(0).boot)
        #expect(!isAllowed)
    }
}
