import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Daemon
@testable import RecordKeeping

@Suite struct ServiceStatusTests {
    private static let now = WallTime(milliseconds: 1_700_000_000_000)

    private static func line(
        watched: Int, network: String? = nil, provider: ProviderState = .ok, batchOnly: Bool = false,
        nextAt: WallTime? = nil
    ) -> String {
        var keeper = Keeper(
            settings: Settings(documentedLimits: [:]), seed: 1,
            startedAt: Instant(boot: BootTime(nanoseconds: 0), wall: now))
        _ = keeper.handle(.restored(Restored()), at: Instant(boot: BootTime(nanoseconds: 0), wall: now))
        var view = keeper.status(at: Instant(boot: BootTime(nanoseconds: 0), wall: now))
        view.counts.watched = watched
        view.isOnline = network == nil
        view.networkReason = network
        view.provider.state = provider
        if batchOnly {
            view.provider.endpoints = Call.Endpoint.allCases.map {
                StatusView.Endpoint(
                    endpoint: $0, state: $0 == .batch ? provider : .ok, since: now, message: nil, calls: 1, failures: 0)
            }
        }
        view.nextAt = nextAt
        return view.line(at: now)
    }

    private static func local(_ time: WallTime, _ format: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000))
    }

    @Test func `the line shows the count, the network and the provider's problem`() {
        #expect(Self.line(watched: 0, provider: .idle) == "0 addresses watched; online")
        #expect(Self.line(watched: 1) == "1 address watched; online")
        #expect(Self.line(watched: 2, provider: .failing) == "2 addresses watched; online; the provider is failing")
        #expect(Self.line(watched: 2, provider: .throttled) == "2 addresses watched; online; throttled by the provider")
        #expect(
            Self.line(watched: 2, provider: .unauthorized)
                == "2 addresses watched; online; access denied by the provider"
        )
        #expect(
            Self.line(watched: 2, network: "no route to 10.99.0.1: Network is unreachable")
                == "2 addresses watched; offline: no route to 10.99.0.1: Network is unreachable")
    }

    @Test(
        arguments: [
            (.ok, ""), (.idle, ""), (.failing, "; batch calls are failing"),
            (.throttled, "; batch calls are throttled by the provider"),
            (.unauthorized, "; batch calls are refused by the provider"),
        ] as [(ProviderState, String)])
    func `if one endpoint answers, only the other one is named`(state: ProviderState, problem: String) {
        #expect(Self.line(watched: 2, provider: state, batchOnly: true) == "2 addresses watched; online\(problem)")
    }

    @Test func `the line shows the time of the next refresh, if one is scheduled`() {
        let (soon, late) = (Self.now + .seconds(300), Self.now + .seconds(86_400))
        #expect(
            Self.line(watched: 2, nextAt: soon)
                == "2 addresses watched; online; next refresh at \(Self.local(soon, "HH:mm:ss"))")
        #expect(
            Self.line(watched: 2, nextAt: late)
                == "2 addresses watched; online; next refresh at \(Self.local(late, "yyyy-MM-dd HH:mm:ss"))")
        #expect(!Self.line(watched: 2, network: "no carrier", nextAt: soon).contains("next"))
    }

    /// The reported lines, and the number that they show.
    private final class Notified: Sendable {
        let lines = Mutex<[String]>([])
        let number = Mutex(0)
        let tally = Tally()
    }

    private static func status(_ notified: Notified, _ queue: DispatchQueue, _ rateLimit: RateLimit) -> ServiceStatus {
        ServiceStatus(queue: queue, rateLimit: rateLimit) {
            "\(notified.number.withLock { $0 })"
        } report: { line in
            notified.lines.withLock { $0.append(line) }
            notified.tally.note()
        }
    }

    @Test func `an unchanged line is not reported again`() {
        let (notified, queue) = (Notified(), DispatchQueue(label: "test"))
        let status = Self.status(notified, queue, RateLimit(atOnce: 2, interval: .seconds(3_600)))
        queue.sync { for _ in 1...5 { status.update() } }
        notified.number.withLock { $0 = 1 }
        queue.sync { status.update() }
        #expect(notified.lines.withLock { $0 } == ["0", "1"])
    }

    @Test func `of many changes in a short time, the first ones and the last are reported`() {
        let (notified, queue) = (Notified(), DispatchQueue(label: "test"))
        let status = Self.status(notified, queue, RateLimit(atOnce: 3, interval: .milliseconds(100)))
        queue.sync {
            for number in 1...1_000 {
                notified.number.withLock { $0 = number }
                status.update()
            }
        }
        #expect(notified.tally.wait(for: 4))
        #expect(notified.lines.withLock { $0 } == ["1", "2", "3", "1000"])
    }
}
