import Glibc
import IPAPI
import RecordKeeping
import Synchronization

/// The real clocks, with a count of their readings.
final class Clock: Sendable {
    private let reads = Mutex(0)

    var readCount: Int { reads.withLock { $0 } }

    func now() -> Instant {
        reads.withLock { $0 += 1 }
        return Self.now
    }

    static var now: Instant {
        Instant(
            boot: BootTime(nanoseconds: read(CLOCK_BOOTTIME)),
            wall: WallTime(milliseconds: read(CLOCK_REALTIME) / 1_000_000))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Sends one call with a new client, and shuts the client down.
func send(
    _ call: Call, to provider: Provider, timeout: Duration = .seconds(300)
) async -> Result<Reply, CallFailure> {
    let client = Client(provider: provider, timeout: timeout) { Clock.now }
    let result = await client.send(call)
    await client.shutdown()
    return result
}

extension Client {
    /// Sends one call and waits for the complete reply. If the task is cancelled, the call is cancelled.
    func send(_ call: Call) async -> Result<Reply, CallFailure> {
        let (results, result) = AsyncStream.makeStream(of: Result<Reply, CallFailure>.self)
        let sent = send(call) { result.yield($0) }
        // In a cancelled task, iterating the stream would end before the call does.
        let waiting = Task { await results.first { _ in true } }
        return await withTaskCancellationHandler {
            await waiting.value ?? .failure(CallFailure(kind: .malformed, message: "the call never ended"))
        } onCancel: {
            sent.cancel()
        }
    }
}

extension Result where Success == Reply, Failure == CallFailure {
    var failure: CallFailure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
