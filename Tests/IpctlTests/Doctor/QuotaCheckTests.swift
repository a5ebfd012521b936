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
        RecordsCheck(status: Sample.status(change), now: Sample.now).findings().first
    }

    /// Quotas that are used up, the first one for 30 s.
    private static let usedUp = [
        StatusView.Quota(endpoint: .single, limit: 45, remaining: 0, resetsAt: Sample.wall(30)),
        StatusView.Quota(endpoint: .batch, limit: 15, remaining: 0, resetsAt: Sample.wall(50)),
    ]

    /// The start of the next window in a message.
    private static let nextWindow =
        "which begins at \(Times.clock(Sample.now + 30_000, from: Sample.now)) (in 30 s)"

    @Test func `before the first reply, the limit is unknown`() {
        let refresh = Sample.status { $0.load = nil }.refresh
        let check = QuotaCheck(refresh: refresh, watched: 1, target: Self.target, hasAnswered: false)
        #expect(check.findings().map(\.state) == [.skipped])
    }

    @Test func `if only one endpoint has reported a limit, the other one is named`() {
        // The sample has a limit for batch calls.
        let status = Sample.status { $0.load = nil }
        let check = QuotaCheck(
            refresh: status.refresh, watched: 1, target: Self.target, quotas: status.provider.quotas)
        #expect(check.findings().map(\.state) == [.ok])
        #expect(check.findings().map(\.message) == ["the provider has reported no limit for batch calls yet"])
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
        #expect(finding?.remedy?.contains("the network problem above") == true)
        #expect(
            finding?.message
                == "5 addresses watched: 5 stale (records are out of date); the network is offline: no route to the "
                + "provider")
    }

    @Test(
        arguments: [
            (.throttled, "the provider refuses calls until the next quota window, \(nextWindow)"),
            (.failing, "the provider is failing: HTTP 503"), (.unauthorized, "the provider denies access: HTTP 503"),
        ] as [(ProviderState, String)])
    func `entries loading from a failing provider are a problem, with the reason`(
        state: ProviderState, reason: String
    ) {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 1, cached: 2, pinned: 0, byState: [.loading: 3])
            ($0.due, $0.inFlight, $0.provider.state, $0.provider.message) = (3, 0, state, "HTTP 503")
        }
        #expect(finding?.state == .warning)
        #expect(finding?.message == "1 address watched, 2 more looked up: 3 loading (no record yet); \(reason)")
        #expect(finding?.remedy?.contains("the provider problem above") == true)
    }

    @Test func `if no refresh is due, a failing provider is reported with the time of the next refresh`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 3, cached: 0, pinned: 0, byState: [.failed: 3])
            ($0.due, $0.inFlight, $0.provider.state, $0.provider.message) = (0, 0, .failing, "HTTP 503")
        }
        let next = Times.clock(Sample.now + 4_000, from: Sample.now)
        #expect(finding?.message.hasSuffix(": HTTP 503; the next refresh is due at \(next) (in 4 s)") == true)
    }

    @Test func `entries that wait for the next quota window are reported with its time, and are not a problem`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(
                watched: 10_000, cached: 0, pinned: 0, byState: [.fresh: 1_445, .stale: 100, .loading: 8_455])
            ($0.due, $0.inFlight, $0.provider.quotas) = (8_555, 0, Self.usedUp)
        }
        #expect(finding?.state == .ok)
        #expect(
            finding?.message
                == "10,000 addresses watched: 1,445 fresh, 8,455 loading (no record yet), 100 stale (records are out "
                + "of date); due calls wait for the next quota window, \(Self.nextWindow)")
    }

    @Test func `calls that are kept for other addresses are a wait for the next window as well`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 2, cached: 0, pinned: 0, byState: [.stale: 2])
            ($0.due, $0.inFlight, $0.provider.message) = (2, 0, "the provider's quota is used up")
        }
        #expect(finding?.message.hasSuffix("; due calls wait for the next quota window, \(Self.nextWindow)") == true)
        let idle = Self.records {
            $0.counts = StatusView.Counts(watched: 2, cached: 0, pinned: 0, byState: [.fresh: 2])
            ($0.due, $0.inFlight, $0.provider.quotas) = (0, 0, Self.usedUp)
        }
        #expect(idle?.message == "2 addresses watched: 2 fresh", "no call waits")
    }

    @Test func `while the database cannot be written, records are not reported as being refreshed`() {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 5, cached: 0, pinned: 0, byState: [.stale: 5])
            ($0.due, $0.inFlight, $0.storeFailure) = (5, 0, "database or disk is full")
        }
        #expect(finding?.state == .warning)
        #expect(
            finding?.message
                == "5 addresses watched: 5 stale (records are out of date); the database cannot be written: database "
                + "or disk is full")
        #expect(finding?.remedy?.contains("the store problem above") == true)
    }

    @Test(arguments: [.throttled, .failing, .unauthorized] as [ProviderState])
    func `if one endpoint answers, due records are being refreshed`(state: ProviderState) {
        let finding = Self.records {
            $0.counts = StatusView.Counts(watched: 5, cached: 0, pinned: 0, byState: [.stale: 5])
            ($0.due, $0.inFlight, $0.provider.state) = (5, 0, state)
            $0.provider.endpoints = Sample.endpoints(.batch, state, message: "HTTP 503")
        }
        #expect(finding?.state == .ok)
        #expect(finding?.message == "5 addresses watched: 5 stale (being refreshed now)")
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
