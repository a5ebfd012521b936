import Dispatch
import Glibc
import RecordKeeping

/// Sends the service manager the line that `systemctl status` shows, whenever that line changes.
///
/// The line is sent while the daemon handles an event, so it causes no wake-ups. The exception is a line that changes
/// faster than its rate limit: updates are then skipped, and the newest line is sent when the limit allows.
///
/// Belongs to the queue passed to `init`.
final class ServiceStatus {
    private let queue: DispatchQueue
    private let line: () -> String
    private let report: (String) -> Void
    private var rateLimit: RateLimit
    private var reported: String?
    private var isDelayed = false

    /// - Parameters:
    ///   - line: returns the current line.
    ///   - report: sends a line to the service manager.
    init(
        queue: DispatchQueue, rateLimit: RateLimit = RateLimit(atOnce: 10, interval: .seconds(1)),
        line: @escaping () -> String, report: @escaping (String) -> Void
    ) {
        self.queue = queue
        self.rateLimit = rateLimit
        self.line = line
        self.report = report
    }

    /// Sends the line if it has changed. Called when the line may have changed.
    func update() {
        guard !isDelayed else { return }
        let now = SystemClock.now.boot
        guard rateLimit.wait(at: now) == .zero else { return delay(for: rateLimit.wait(at: now)) }
        let line = line()
        guard line != reported, rateLimit.spend(at: now) else { return }
        reported = line
        report(line)
    }

    private func delay(for wait: Duration) {
        isDelayed = true
        queue.later(after: wait) { [self] in
            isDelayed = false
            update()
        }
    }
}

extension StatusView {
    /// Returns one line with the size of the watch list, the state of the network and of the provider, and the time of
    /// the next refresh, in local time.
    ///
    /// - Parameter now: the current time; a refresh more than 12 hours later is shown with its date.
    func line(at now: WallTime) -> String {
        var parts = [counts.watched == 1 ? "1 address watched" : "\(counts.watched) addresses watched"]
        parts.append(isOnline ? "online" : "offline: \(networkReason ?? "no route to the provider")")
        if let providerProblem { parts.append(providerProblem) }
        // While the daemon is offline, the time of the next refresh is unknown.
        if isOnline, let nextAt {
            let isFar = nextAt - now > .seconds(43_200)
            parts.append("next refresh at \(Self.text(of: nextAt, withDate: isFar))")
        }
        return parts.joined(separator: "; ")
    }

    /// The problem with the provider; nil if there is none. If one endpoint answers, the other one is named, because
    /// records are still fetched.
    private var providerProblem: String? {
        if provider.endpoints.contains(where: { $0.state == .ok }) {
            return provider.endpoints.compactMap { Self.problem(of: $0) }.first
        }
        switch provider.state {
        case .idle, .ok: return nil
        case .failing: return "the provider is failing"
        case .throttled: return "throttled by the provider"
        case .unauthorized: return "access denied by the provider"
        }
    }

    private static func problem(of endpoint: Endpoint) -> String? {
        let calls = "\(endpoint.endpoint.rawValue) calls"
        switch endpoint.state {
        case .idle, .ok: return nil
        case .failing: return "\(calls) are failing"
        case .throttled: return "\(calls) are throttled by the provider"
        case .unauthorized: return "\(calls) are refused by the provider"
        }
    }

    private static func text(of time: WallTime, withDate: Bool) -> String {
        var (seconds, parts) = (time_t(time.milliseconds / 1_000), tm())
        localtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, withDate ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
