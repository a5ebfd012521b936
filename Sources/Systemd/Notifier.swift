import CSystemd
import Glibc

/// Tells the service manager how the daemon is: sd_notify(3).
///
///     let notifier = Notifier()
///     try notifier.ready(status: "12 addresses watched")
///
/// Where there is no NOTIFY_SOCKET, nobody wants to know, and nothing is done.
package struct Notifier: Sendable {
    /// Within which time the manager wants to hear `keepAlive` each time (WatchdogSec=); nil where it does not.
    ///
    /// Half of it is what sd_watchdog_enabled(3) advises to keep.
    package let watchdogInterval: Duration?

    package init() {
        var microseconds: UInt64 = 0
        // A negative result means that the variables are garbage: then there is no watchdog that could be served.
        watchdogInterval =
            sd_watchdog_enabled(0, &microseconds) > 0
            ? .microseconds(Int64(clamping: microseconds)) : nil
    }

    /// The daemon serves from now on, or again after `reloading`.
    package func ready(status: String? = nil) throws(SystemdError) {
        try send(["READY=1"] + Self.lines(status))
    }

    /// What the daemon does, in one line, for `systemctl status`.
    package func status(_ status: String) throws(SystemdError) {
        try send(Self.lines(status))
    }

    /// A reload has begun; `ready` ends it.
    ///
    /// The stamp tells the manager which of its requests this answers; without it `systemctl reload` hangs
    /// (Type=notify-reload of systemd.service(5)).
    package func reloading() throws(SystemdError) {
        var now = timespec()
        // CLOCK_MONOTONIC cannot fail with a valid pointer (clock_gettime(2)).
        clock_gettime(CLOCK_MONOTONIC, &now)
        let microseconds = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
        try send(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)"])
    }

    /// Extends the timeout of the start, the reload or the stop under way: the manager waits for `duration` from now
    /// on.
    ///
    /// If the manager's own timeout is later, that one applies (EXTEND_TIMEOUT_USEC= of sd_notify(3)).
    package func extendTimeout(by duration: Duration) throws(SystemdError) {
        try send(["EXTEND_TIMEOUT_USEC=\(duration.components.seconds * 1_000_000)"])
    }

    /// The daemon ends; it takes on nothing new.
    package func stopping(status: String? = nil) throws(SystemdError) {
        try send(["STOPPING=1"] + Self.lines(status))
    }

    /// The daemon is alive: the watchdog's ping.
    package func keepAlive() throws(SystemdError) {
        try send(["WATCHDOG=1"])
    }

    private func send(_ assignments: [String]) throws(SystemdError) {
        // Not sd_notifyf, which is variadic; 0 keeps NOTIFY_SOCKET for the next time.
        let result = sd_notify(0, assignments.joined(separator: "\n"))
        guard result >= 0 else { throw .notNotified(errno: -result) }
    }

    /// One assignment, whatever the text holds: a line break would begin another.
    private static func lines(_ status: String?) -> [String] {
        guard let status else { return [] }
        let line = status.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : String($0) }.joined()
        return ["STATUS=\(line)"]
    }
}
