import Dispatch
import Glibc
import RecordKeeping

/// The line that `systemctl status` shows, told whenever it has changed.
///
/// It is told along with what the daemon does anyway, so that nothing wakes up for it. Only where it changes faster than a
/// person reads it is a change left out, and the last one told a moment later.
///
/// Belongs to the queue that it is made with.
final class ServiceStatus {
    private let queue: DispatchQueue
    private let line: () -> String
    private let tell: (String) -> Void
    private var allowance: Allowance
    private var told: String?
    private var isPutOff = false

    /// - Parameters:
    ///   - line: what is to be told now.
    ///   - tell: tells the service manager.
    init(
        queue: DispatchQueue, allowance: Allowance = Allowance(atOnce: 10, interval: .seconds(1)),
        line: @escaping () -> String, tell: @escaping (String) -> Void
    ) {
        self.queue = queue
        self.allowance = allowance
        self.line = line
        self.tell = tell
    }

    /// Something may have changed that the line tells.
    func update() {
        guard !isPutOff else { return }
        let now = SystemClock.now.boot
        guard allowance.wait(at: now) == .zero else { return putOff(for: allowance.wait(at: now)) }
        let line = line()
        guard line != told, allowance.spend(at: now) else { return }
        told = line
        tell(line)
    }

    private func putOff(for wait: Duration) {
        isPutOff = true
        // It is touched on this queue only.
        nonisolated(unsafe) let status = self
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(wait.wholeNanoseconds))) {
            status.isPutOff = false
            status.update()
        }
    }
}

extension StatusView {
    /// How large the watch list is, how the network and the provider are, and when the next refresh is, in one line.
    ///
    /// - Parameter now: what is further than half a day ahead of it is told with its date.
    func line(at now: WallTime) -> String {
        var parts = [counts.watched == 1 ? "1 address watched" : "\(counts.watched) addresses watched"]
        parts.append(isOnline ? "online" : "offline: \(networkReason ?? "no way to the provider")")
        switch provider.state {
        case .idle, .ok: break
        case .failing: parts.append("the provider fails")
        case .throttled: parts.append("throttled by the provider")
        case .unauthorized: parts.append("the provider refuses access")
        }
        // What is waited for while there is no way to the provider has no time.
        if isOnline, let nextAt {
            let isFar = nextAt - now > .seconds(43_200)
            parts.append("next refresh at \(Self.text(of: nextAt, withDate: isFar))")
        }
        return parts.joined(separator: "; ")
    }

    private static func text(of time: WallTime, withDate: Bool) -> String {
        var (seconds, parts) = (time_t(time.milliseconds / 1_000), tm())
        localtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, withDate ? "%Y-%m-%d %H:%M:%S" : "%H:%M:%S", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
