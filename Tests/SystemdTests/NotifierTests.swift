import Foundation
import Systemd
import TestSupport
import Testing

@Suite struct NotifierTests {
    @Test func `each notification is one datagram`() throws {
        let folder = try TemporaryFolder()
        let socket = try UnixSocket(SOCK_DGRAM, at: folder.file("notify"))
        let ended = try Probe.run("notify", environment: ["NOTIFY_SOCKET": folder.file("notify")])
        #expect(ended == .init(status: 0, output: "", errors: ""))
        var datagrams = socket.datagrams()
        try #require(datagrams.count == 6)
        let reloading = datagrams.remove(at: 2).split(separator: "\n")
        #expect(
            datagrams == [
                "READY=1\nSTATUS=one READY=0  two", "STATUS=three", "WATCHDOG=1", "EXTEND_TIMEOUT_USEC=90000000",
                "STOPPING=1",
            ])
        #expect(reloading.first == "RELOADING=1")
        let stamp = try #require(reloading.last?.split(separator: "=").last.flatMap { Int64($0) })
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        #expect((Int64(now.tv_sec) - 60...Int64(now.tv_sec) + 1).contains(stamp / 1_000_000))
    }

    @Test func `without NOTIFY_SOCKET notifications do nothing`() throws {
        #expect(try Probe.run("notify") == .init(status: 0, output: "", errors: ""))
    }

    @Test func `a missing notification socket is an error that includes the reason`() throws {
        let ended = try Probe.run("notify", environment: ["NOTIFY_SOCKET": "/nonexistent/notify"])
        #expect(ended.status == 1)
        #expect(ended.errors == "cannot notify the service manager (NOTIFY_SOCKET): No such file or directory\n")
    }

    @Test(
        arguments: [
            ([:], "none\n"), (["WATCHDOG_USEC": "1500000"], "1.5 seconds\n"),
            (["WATCHDOG_USEC": "garbage"], "none\n"), (["WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "1"], "none\n"),
        ] as [([String: String], String)])
    func `the watchdog interval comes from the environment`(environment: [String: String], output: String) throws {
        #expect(try Probe.run("watchdog", environment: environment).output == output)
    }
}
