import Control
import Testing

@testable import RecordKeeping
@testable import ipctl

@Suite struct StatusCardTests {
    private static func lines(_ change: (inout StatusView) -> Void = { _ in }) -> [String] {
        StatusCard(status: Sample.status(change), now: Sample.now).lines(on: .pipe)
    }

    private static func clock(_ seconds: Int64) -> String {
        Times.clock(Sample.now + seconds * 1_000, from: Sample.now)
    }

    @Test func `the card shows the whole status`() {
        #expect(
            Self.lines() == [
                "iprecordd 1.2.3  up 2 h", "        Network  online since \(Self.clock(-7_200))",
                "       Provider  http://ip-api.com, ok since \(Self.clock(-3_600))",
                "          Calls  12,345, of which 2 failed; the last 7 s ago",
                "  Quota, single  40 of 45 left; resets in 30 s", "   Quota, batch  no limit reported",
                "        Watched  1,500 addresses, 2 pinned; 3 more looked up",
                "         States  1,490 fresh, 13 failed",
                "        Refresh  2 due, more in 4 s, 100 in flight; every 5 min",
                "           Load  34 % of the quota",
                "          Store  /var/lib/iprecord/records.db, 2 MiB, 1 change, last event 99",
            ])
    }

    @Test func `a failing store is shown with its reason`() {
        let lines = Self.lines { $0.storeFailure = "database or disk is full" }
        #expect(lines.contains { $0.hasSuffix("  changes cannot be written: database or disk is full") })
    }

    @Test func `local databases are shown with their versions and problems`() {
        var status = Sample.status()
        status.databases = [
            .init(
                path: "/a.mmdb", databaseType: "GeoLite2-City", builtAt: Sample.wall(-86_400),
                loadedAt: Sample.wall(-60)
            ),
            .init(
                path: "/b.mmdb", databaseType: "GeoLite2-ASN", builtAt: Sample.wall(-86_400),
                loadedAt: Sample.wall(-60),
                failure: "/b.mmdb is truncated"),
            .init(path: "/c.mmdb"), .init(path: "/d.mmdb", failure: "no such file"),
        ]
        let day = Times.day(Sample.now - 86_400_000)
        let lines = StatusCard(status: status, now: Sample.now).lines(on: .pipe)
        #expect(lines.value(of: "Offline") == "/a.mmdb, GeoLite2-City of \(day), loaded 60 s ago")
        let others = [
            "/b.mmdb, GeoLite2-ASN of \(day), loaded 60 s ago", "/b.mmdb is truncated", "/c.mmdb, loading",
            "/d.mmdb, not in use", "no such file",
        ]
        #expect(zip(lines.suffix(5), others).allSatisfy { $0.hasSuffix("  \($1)") }, "\(lines)")
        status.databases = nil
        #expect(StatusCard(status: status, now: Sample.now).lines(on: .pipe).value(of: "Offline") == nil)
    }

    @Test func `an endpoint in another state than the provider is shown`() {
        let lines = Self.lines {
            $0.provider.endpoints = [
                .init(endpoint: .single, state: .ok, since: Sample.wall(-60), message: nil, calls: 1, failures: 0),
                .init(
                    endpoint: .batch, state: .failing, since: Sample.wall(-60), message: "HTTP 503", calls: 9,
                    failures: 9),
            ]
        }
        #expect(lines.filter { $0.contains("batch: failing since \(Self.clock(-60)): HTTP 503") }.count == 1)
        #expect(!lines.contains { $0.contains("single: ok") })
    }

    @Test func `a caller without permission is named`() {
        #expect(
            Self.lines { $0.user = 1_000 }.value(of: "You") == "user 1000, without permission to change the watch list")
        let administrator = Self.lines {
            $0.user = 1_000
            $0.isAdministrator = true
        }
        #expect(administrator.value(of: "You") == nil)
    }

    @Test func `offline is shown with its start and reason`() {
        let lines = Self.lines {
            $0.isOnline = false
            $0.networkSince = Sample.wall(-90)
            $0.networkReason = "unreachable route"
        }
        #expect(lines.value(of: "Network") == "offline since \(Self.clock(-90)): unreachable route")
    }

    @Test(arguments: [.idle, .failing, .throttled, .unauthorized] as [ProviderState])
    func `a failing provider is shown with its message`(state: ProviderState) {
        let lines = Self.lines {
            $0.provider.state = state
            $0.provider.message = "HTTP 503"
        }
        #expect(lines.value(of: "Provider") == "http://ip-api.com, \(state.rawValue) since \(Self.clock(-3_600))")
        #expect(lines.contains { $0.hasSuffix("  HTTP 503") })
    }

    @Test func `an exhausted quota is shown with its reset`() {
        let lines = Self.lines {
            $0.provider.quotas = [.init(endpoint: .batch, limit: 15, remaining: 0, resetsAt: Sample.wall(59))]
        }
        #expect(lines.value(of: "Quota, batch") == "0 of 15 left; resets in 59 s")
        #expect(lines.value(of: "Quota, single") == nil)
    }

    @Test func `a load above the quota is explained`() {
        let lines = Self.lines { $0.load = 2.5 }
        #expect(lines.value(of: "Load")?.hasPrefix("250 % of the quota: more than the provider allows") == true)
        #expect(Self.lines { $0.load = 1e300 }.value(of: "Load")?.contains("more than the provider allows") == true)
        #expect(Self.lines { $0.load = nil }.value(of: "Load") == nil)
    }

    @Test func `due refreshes come first, with the reason for waiting`() {
        let soon = Self.lines { ($0.due, $0.inFlight) = (0, 0) }
        #expect(soon.value(of: "Refresh") == "every 5 min, next in 4 s")
        let usedUp = Self.lines {
            ($0.due, $0.inFlight, $0.nextAt) = (20_008, 0, nil)
            $0.provider.quotas = [
                .init(endpoint: .single, limit: 45, remaining: 0, resetsAt: Sample.wall(30)),
                .init(endpoint: .batch, limit: 15, remaining: 0, resetsAt: Sample.wall(9)),
            ]
        }
        #expect(
            usedUp.value(of: "Refresh") == "20,008 due, waiting for the quota, which resets in 9 s; every 5 min")
        let offline = Self.lines { ($0.due, $0.inFlight, $0.nextAt, $0.isOnline) = (8, 0, nil, false) }
        #expect(offline.value(of: "Refresh") == "8 due, waiting for a route to the provider; every 5 min")
        let alone = Self.lines { ($0.due, $0.inFlight, $0.nextAt) = (8, 3, nil) }
        #expect(alone.value(of: "Refresh") == "8 due, 3 in flight; every 5 min")
    }

    @Test func `an idle daemon has a short card`() {
        let lines = Self.lines {
            $0.counts = StatusView.Counts()
            $0.nextAt = nil
            ($0.due, $0.inFlight, $0.provider.lastCallAt) = (0, 0, nil)
            ($0.provider.calls, $0.provider.failures) = (0, 0)
        }
        #expect(lines.value(of: "Watched") == "0 addresses")
        #expect(lines.value(of: "States") == nil)
        #expect(lines.value(of: "Refresh") == "every 5 min")
        #expect(lines.value(of: "Calls") == "none yet")
        #expect(
            Self.lines { $0.provider.failures = 0 }.value(of: "Calls")
                == "12,345, of which none failed; the last 7 s ago")
        #expect(Self.lines { $0.counts.watched = 1 }.value(of: "Watched")?.hasPrefix("1 address,") == true)
    }

    @Test(arguments: [(true, "32"), (false, "31")]) func `the network has its colour`(isOnline: Bool, color: String) {
        let status = Sample.status { $0.isOnline = isOnline }
        let lines = StatusCard(status: status, now: Sample.now).lines(on: Terminal(hasColor: true, columns: 80))
        #expect(lines.contains { $0.contains("\u{1B}[\(color)mo") })
    }
}
