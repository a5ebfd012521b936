import Control
import Testing

@testable import RecordKeeping
@testable import ipctl

@Suite struct QuotaCheckTests {
    private static let target = DoctorTarget(socket: SocketPath.system) { _ in nil }

    private static func finding(_ load: Double?, interval: Duration = .seconds(300)) -> Finding? {
        let status = Sample.status {
            $0.load = load
            $0.interval = interval
        }
        return QuotaCheck(refresh: status.refresh, watched: status.entries.watched, target: target).findings().first
    }

    @Test(arguments: [nil, 0, 0.335, 1] as [Double?]) func `a list within the quota is good`(load: Double?) {
        #expect(Self.finding(load)?.state == .ok)
        #expect(Self.finding(0.335)?.message == "the watch list needs 34 % of it")
    }

    @Test func `a list beyond the quota is reported with a sufficient interval and the number of excess addresses`() {
        let finding = Self.finding(2.5)
        #expect(finding?.state == .bad)
        #expect(
            finding?.message == "the watch list needs 250 % of it: records will be up to 12 min old instead of 5 min")
        #expect(finding?.remedy?.contains("[refresh] interval = \"13m\"") == true)
        // 1,500 addresses are watched, and the quota is sufficient for 600.
        #expect(finding?.remedy?.contains("remove 900 addresses") == true)
        #expect(finding?.remedy?.contains("systemctl restart iprecordd") == true)
    }

    @Test func `the smallest excess is reported, and an absurd one is harmless`() {
        #expect(Self.finding(1.0001)?.remedy?.contains("interval = \"6m\"") == true)
        #expect(Self.finding(1.5, interval: .seconds(20))?.remedy?.contains("interval = \"30s\"") == true)
        #expect(Self.finding(1e300)?.state == .bad)
    }

    // MARK: Records

    private static func records(_ change: (inout StatusView) -> Void) -> Finding? {
        RecordsCheck(status: Sample.status(change)).findings().first
    }

    @Test func `before the first reply, the limit is unknown`() {
        let refresh = Sample.status { $0.load = nil }.refresh
        let check = QuotaCheck(refresh: refresh, watched: 1, target: Self.target, hasAnswered: false)
        #expect(check.findings().map(\.state) == [.skipped])
    }

    @Test func `entries that are being refreshed or loaded are not a problem`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(
                watched: 200, cached: 0, pinned: 0, byState: [.fresh: 96, .stale: 62, .loading: 40, .empty: 2])
            ($0.due, $0.inFlight) = (2, 100)
        }
        #expect(finding?.state == .ok)
        #expect(
            finding?.message
                == "200 addresses watched: 96 fresh, 2 empty (the provider has no record), "
                + "40 loading (first call is due or in flight), 62 stale (being refreshed now)")
    }

    @Test func `loading entries do not hide stale ones`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 150, cached: 0, pinned: 0, byState: [.stale: 50, .loading: 100])
            ($0.due, $0.inFlight) = (0, 100)
        }
        #expect(finding?.state == .warning)
        #expect(finding?.message.hasSuffix("50 stale (records are out of date)") == true)
        #expect(finding?.remedy?.contains("ipctl list --state stale") == true)
    }

    @Test func `failed and stale entries are reported with commands to list and refresh them`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 200, cached: 0, pinned: 0, byState: [.stale: 103, .failed: 7])
            ($0.due, $0.inFlight) = (2, 100)
        }
        #expect(finding?.state == .warning)
        #expect(
            finding?.message
                == "200 addresses watched: 103 stale (records are out of date), 7 failed (no record)"
        )
        #expect(finding?.remedy?.contains("ipctl list --state failed") == true)
        #expect(finding?.remedy?.contains("ipctl refresh") == true)
    }

    @Test func `if no record can be fetched, the remedy refers to the cause`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 5, cached: 0, pinned: 0, byState: [.stale: 5])
            // Offline, all stale entries are due, and none is sent.
            ($0.due, $0.inFlight, $0.isOnline) = (5, 0, false)
        }
        #expect(finding?.state == .warning)
        #expect(finding?.remedy?.contains("fetched automatically") == true)
        #expect(finding?.message == "5 addresses watched: 5 stale (records are out of date)")
    }

    @Test(arguments: [.throttled, .failing, .unauthorized] as [ProviderState])
    func `entries loading from a failing provider are a problem`(state: ProviderState) {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 1, cached: 2, pinned: 0, byState: [.loading: 3])
            ($0.due, $0.inFlight, $0.provider.state) = (3, 0, state)
        }
        #expect(finding?.state == .warning)
        #expect(finding?.message == "1 address watched, 2 more looked up: 3 loading (no record yet)")
    }

    @Test func `an empty list is good`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts()
            ($0.due, $0.inFlight) = (0, 0)
        }
        #expect(finding?.state == .ok)
        #expect(finding?.message == "0 addresses watched")
    }
}
