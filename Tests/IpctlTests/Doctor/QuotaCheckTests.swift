import Control
import Testing

@testable import RecordKeeping
@testable import ipctl

@Suite struct QuotaCheckTests {
    private static let patient = Patient(socket: SocketPath.ofSystem) { _ in nil }

    private static func finding(_ load: Double?, interval: Duration = .seconds(300)) -> Finding? {
        let status = Sample.status {
            $0.load = load
            $0.interval = interval
        }
        return QuotaCheck(refresh: status.refresh, watched: status.entries.watched, patient: patient).findings().first
    }

    @Test(arguments: [nil, 0, 0.335, 1] as [Double?]) func `a list within the quota is well`(load: Double?) {
        #expect(Self.finding(load)?.state == .ok)
        #expect(Self.finding(0.335)?.message == "the list needs 34 % of it")
    }

    @Test func `a list beyond it is told with the interval that would do, and how many addresses are too many`() {
        let finding = Self.finding(2.5)
        #expect(finding?.state == .bad)
        #expect(finding?.message == "the list needs 250 % of it: records get 12 min old in place of 5 min")
        #expect(finding?.remedy?.contains("[refresh] interval = \"13m\"") == true)
        // 1,500 are watched, and 600 of them fit.
        #expect(finding?.remedy?.contains("take 900 addresses off") == true)
        #expect(finding?.remedy?.contains("systemctl restart iprecordd") == true)
    }

    @Test func `the least excess is told, and an absurd one does no harm`() {
        #expect(Self.finding(1.0001)?.remedy?.contains("interval = \"6m\"") == true)
        #expect(Self.finding(1.5, interval: .seconds(20))?.remedy?.contains("interval = \"30s\"") == true)
        #expect(Self.finding(1e300)?.state == .bad)
    }

    // MARK: Records

    private static func records(_ change: (inout StatusView) -> Void) -> Finding? {
        RecordsCheck(status: Sample.status(change)).findings().first
    }

    @Test func `before the provider has answered nobody knows of a limit`() {
        let refresh = Sample.status { $0.load = nil }.refresh
        let check = QuotaCheck(refresh: refresh, watched: 1, patient: Self.patient, hasAnswered: false)
        #expect(check.findings().map(\.state) == [.skipped])
    }

    @Test func `what is just being replaced, and what is just being asked for the first time, is no fault`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(
                watched: 200, cached: 0, pinned: 0, byState: [.fresh: 96, .stale: 62, .loading: 40, .empty: 2])
            ($0.due, $0.inFlight) = (2, 100)
        }
        #expect(finding?.state == .ok)
        #expect(
            finding?.message
                == "200 addresses watched: 96 fresh, 2 empty (the provider has no record of such), "
                + "40 loading (their first call is due or under way), 62 stale (being replaced now)")
    }

    @Test func `what loads does not hide what stays stale`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 150, cached: 0, pinned: 0, byState: [.stale: 50, .loading: 100])
            ($0.due, $0.inFlight) = (0, 100)
        }
        #expect(finding?.state == .warning)
        #expect(finding?.message.hasSuffix("50 stale (what is known of them is old)") == true)
        #expect(finding?.remedy?.contains("ipctl list --state stale") == true)
    }

    @Test func `what failed and what stays stale is told with how to see it and try again`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 200, cached: 0, pinned: 0, byState: [.stale: 103, .failed: 7])
            ($0.due, $0.inFlight) = (2, 100)
        }
        #expect(finding?.state == .warning)
        #expect(
            finding?.message
                == "200 addresses watched: 103 stale (what is known of them is old), 7 failed (nothing is known of them)"
        )
        #expect(finding?.remedy?.contains("ipctl list --state failed") == true)
        #expect(finding?.remedy?.contains("ipctl refresh") == true)
    }

    @Test func `where nothing can come, that is what is to be seen to`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 5, cached: 0, pinned: 0, byState: [.stale: 5])
            // Offline, all that is stale is due, and nothing of it goes out.
            ($0.due, $0.inFlight, $0.isOnline) = (5, 0, false)
        }
        #expect(finding?.state == .warning)
        #expect(finding?.remedy?.contains("by themselves") == true)
        #expect(finding?.message == "5 addresses watched: 5 stale (what is known of them is old)")
    }

    @Test(arguments: [.throttled, .failing, .unauthorized] as [ProviderState])
    func `what loads from a provider that is not well waits in vain`(state: ProviderState) {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 1, cached: 2, pinned: 0, byState: [.loading: 3])
            ($0.due, $0.inFlight, $0.provider.state) = (3, 0, state)
        }
        #expect(finding?.state == .warning)
        #expect(finding?.message == "1 address watched, 2 more looked up: 3 loading (nothing is known yet)")
    }

    @Test func `an empty list is well`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts()
            ($0.due, $0.inFlight) = (0, 0)
        }
        #expect(finding?.state == .ok)
        #expect(finding?.message == "0 addresses watched")
    }
}
