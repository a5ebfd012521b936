import Testing

@testable import RecordKeeping
@testable import ipctl

@Suite struct NextRefreshTests {
    private static func next(due: Int, _ change: (inout StatusView) -> Void = { _ in }) -> NextRefresh {
        let status = Sample.status {
            $0.due = due
            change(&$0)
        }
        return NextRefresh(status, at: Sample.now)
    }

    private static func quota(_ remaining: Int, resetsIn seconds: Int64?) -> StatusView.Quota {
        .init(endpoint: .single, limit: 45, remaining: remaining, resetsAt: seconds.map { Sample.wall($0) })
    }

    private static let unreported = StatusView.Quota(endpoint: .batch, limit: nil, remaining: nil, resetsAt: nil)
    private static func time(_ seconds: Int64) -> Int64 { Sample.now + seconds * 1_000 }

    @Test func `with nothing due, the next deadline is shown`() {
        #expect(Self.next(due: 0) == .deadline(Self.time(4)))
        #expect(Self.next(due: 0) { $0.nextAt = nil } == .nothing)
        #expect(Self.next(due: 0) { $0.provider.quotas = [Self.quota(0, resetsIn: 9)] } == .deadline(Self.time(4)))
    }

    @Test func `due refreshes wait for the quota only if every quota is exhausted`() {
        let cases: [([StatusView.Quota], NextRefresh)] = [
            ([Self.quota(0, resetsIn: 30), Self.quota(0, resetsIn: 9)], .quota(resetsAt: Self.time(9))),
            ([Self.quota(0, resetsIn: 30), Self.unreported], .quota(resetsAt: Self.time(30))),
            ([Self.quota(0, resetsIn: nil)], .quota(resetsAt: nil)),
            ([Self.quota(0, resetsIn: 30), Self.quota(1, resetsIn: 9)], .due(Self.time(4))),
            ([Self.quota(0, resetsIn: 30), Self.quota(0, resetsIn: -1)], .due(Self.time(4))),
            ([Self.unreported], .due(Self.time(4))), ([], .due(Self.time(4))),
        ]
        for (quotas, expected) in cases {
            #expect(Self.next(due: 8) { $0.provider.quotas = quotas } == expected, "\(quotas)")
        }
        #expect(Self.next(due: 8) { $0.nextAt = nil } == .due(nil))
        #expect(Self.next(due: 8) { $0.nextAt = Sample.wall(-1) } == .due(nil), "the overdue entry is counted as due")
    }

    @Test func `the quota of a failing endpoint does not count, unless both are failing`() {
        func next(_ single: ProviderState, _ batch: ProviderState, _ calls: (Int, Int)) -> NextRefresh {
            Self.next(due: 8) {
                $0.provider.state = .failing
                $0.provider.endpoints = [
                    .init(
                        endpoint: .single, state: single, since: Sample.wall(-9), message: nil, calls: 1, failures: 1),
                    .init(endpoint: .batch, state: batch, since: Sample.wall(-9), message: nil, calls: 1, failures: 1),
                ]
                $0.provider.quotas = [
                    .init(endpoint: .single, limit: 45, remaining: calls.0, resetsAt: Sample.wall(30)),
                    .init(endpoint: .batch, limit: 15, remaining: calls.1, resetsAt: Sample.wall(9)),
                ]
            }
        }
        #expect(next(.ok, .failing, (0, 15)) == .quota(resetsAt: Self.time(30)))
        #expect(next(.ok, .unauthorized, (0, 0)) == .quota(resetsAt: Self.time(30)))
        #expect(next(.failing, .idle, (45, 0)) == .quota(resetsAt: Self.time(9)))
        #expect(next(.ok, .failing, (1, 0)) == .due(Self.time(4)))
        #expect(next(.failing, .failing, (1, 0)) == .due(Self.time(4)))
        #expect(next(.failing, .failing, (0, 0)) == .quota(resetsAt: Self.time(9)))
    }

    @Test func `due refreshes wait if the remaining calls are kept for other addresses`() {
        let next = Self.next(due: 8) { $0.provider.message = "the quota is used up until the next window" }
        #expect(next == .quota(resetsAt: Self.time(30)))
    }

    @Test func `without a route, due refreshes wait for it, whatever the quota`() {
        #expect(Self.next(due: 8) { $0.isOnline = false } == .route)
    }
}
