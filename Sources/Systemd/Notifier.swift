import CSystemd
import Glibc

/// Notifies the service manager of the daemon's state (sd_notify(3)).
///
///     let notifier = Notifier()
///     try notifier.ready(status: "12 addresses watched")
///
/// If NOTIFY_SOCKET is not set, the methods do nothing.
package struct Notifier: Sendable {
    /// The maximum time between two calls of `keepAlive` (WatchdogSec=); nil if the service manager expects no pings.
    ///
    /// sd_watchdog_enabled(3) recommends half this interval between two calls.
    package let watchdogInterval: Duration?

    package init() {
        var microseconds: UInt64 = 0
        // A negative result means that the variables are invalid, so there is no interval to keep.
        watchdogInterval =
            sd_watchdog_enabled(0, &microseconds) > 0
            ? .microseconds(Int64(clamping: microseconds)) : nil
    }

    /// Reports that the daemon has started, or that a reload has completed.
    package func ready(status: String? = nil) throws(SystemdError) {
        try send(["READY=1"] + Self.lines(status))
    }

    /// Sets the line that `systemctl status` shows.
    package func status(_ status: String) throws(SystemdError) {
        try send(Self.lines(status))
    }

    /// Reports that a reload has begun; `ready` ends it.
    ///
    /// The time in the message proves that the reload began after the service manager's request. Without this time,
    /// `systemctl reload` hangs (Type=notify-reload of systemd.service(5)).
    package func reloading() throws(SystemdError) {
        var now = timespec()
        // CLOCK_MONOTONIC cannot fail with a valid pointer (clock_gettime(2)).
        clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
        try send(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)"])
    }

    /// Extends the timeout of the current startup, reload or shutdown, so that the service manager waits for at least
    /// `duration` from now on (EXTEND_TIMEOUT_USEC= of sd_notify(3)). Fractions of a second are dropped.
    package func extendTimeout(by duration: Duration) throws(SystemdError) {
        try send(["EXTEND_TIMEOUT_USEC=\(duration.components.seconds * 1_000_000)"])
    }

    /// Reports that the daemon is shutting down.
    package func stopping(status: String? = nil) throws(SystemdError) {
        try send(["STOPPING=1"] + Self.lines(status))
    }

    /// Pings the service manager's watchdog.
    package func keepAlive() throws(SystemdError) {
        try send(["WATCHDOG=1"])
    }

    private func send(_ assignments: [String]) throws(SystemdError) {
        // Not sd_notifyf, because Swift cannot call variadic functions. The 0 keeps NOTIFY_SOCKET in the environment.
        let result = sd_notify(0, assignments.joined(separator: "\n"))
        guard result >= 0 else { throw .notNotified(errno: -result) }
    }

    /// Returns the assignment of a status, if there is one. Control characters become spaces, because a line break
    /// would begin another assignment.
    private static func lines(_ status: String?) -> [String] {
        guard let status else { return [] }
        let line = status.unicodeScalars.map { $0.isControl ? " " : String($0) }.joined()
        return ["STATUS=\(line)"]
    }
}
