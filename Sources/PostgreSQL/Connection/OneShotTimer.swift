import Dispatch

/// A timer that fires once per call of `arm`, until the last reference to it is gone.
///
/// It measures time with CLOCK_MONOTONIC, which stops while the machine is suspended.
final class OneShotTimer {
    private let source: any DispatchSourceTimer

    init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler(handler: handler)
        source.activate()
    }

    deinit { source.cancel() }

    /// Sets the time at which the timer fires, in place of the earlier one; nil disarms it.
    func arm(_ deadline: DispatchTime?) {
        source.schedule(deadline: deadline ?? .distantFuture, leeway: .milliseconds(1))
    }
}
