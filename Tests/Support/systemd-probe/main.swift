// The program that the tests start as a service. Each command uses one part of the Systemd module and prints the
// result.

import Glibc
import Logging
import Systemd

/// Logs a message with all kinds of metadata, one below the log level, and one of 300 kB.
func logEverything() {
    let destination = LogDestination.current
    print(destination)
    LoggingSystem.bootstrap { _ in destination.handler(identifier: "systemd-probe") }
    let logger = Logger(label: "probe")
    logger.warning(
        "two\nlines",
        metadata: [
            "MESSAGE_ID": "\(MessageID.networkLost.text)", "IPRECORD_EVENT": "networkLost", "retry after": "5",
            "addresses": ["192.0.2.1", "2001:db8::1"], "priority": "a\u{0}b\u{1}",
        ])
    logger.debug("not logged, because it is below the level")
    logger.critical("\(String(repeating: "x", count: 300_000))", metadata: ["IPRECORD_EVENT": "large"])
}

/// Serves until SIGTERM; reloads at SIGHUP.
func serve() throws {
    let notifier = Notifier()
    print("watchdog \(notifier.watchdogInterval.map { "\($0)" } ?? "none")")
    for socket in try ActivatedSocket.receiveAll() { print("socket \(socket.name) \(socket.descriptor)") }
    if let secret = try Credentials().text(named: "ip-api-key") { print("credential \(secret)") }
    fflush(nil)
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGHUP, SIGTERM] { sigaddset(&signals, signal) }
    sigprocmask(SIG_BLOCK, &signals, nil)
    try notifier.ready(status: "serving\nSTOPPING=1")
    var reloads = 0
    while true {
        var signal: Int32 = 0
        sigwait(&signals, &signal)
        guard signal == SIGHUP else { break }
        try notifier.reloading()
        reloads += 1
        try notifier.keepAlive()
        try notifier.extendTimeout(by: .seconds(90))
        try notifier.ready(status: "reloaded \(reloads)")
    }
    try notifier.stopping(status: "ending")
}

do {
    switch CommandLine.arguments.dropFirst().first {
    case "log": logEverything()
    case "serve": try serve()
    case "notify":
        let notifier = Notifier()
        try notifier.ready(status: "one\nREADY=0\r\u{7}two")
        try notifier.status("three")
        try notifier.reloading()
        try notifier.keepAlive()
        try notifier.extendTimeout(by: .seconds(90))
        try notifier.stopping()
    case "watchdog": print(Notifier().watchdogInterval.map { "\($0)" } ?? "none")
    case "sockets":
        for socket in try ActivatedSocket.receiveAll() { print("\(socket.name) \(socket.descriptor)") }
        print("left: \(getenv("LISTEN_FDS") == nil ? "nothing" : "LISTEN_FDS")")
    default: exit(64)
    }
} catch {
    let line = Array("\(error)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
    exit(1)
}
