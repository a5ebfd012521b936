import Control
import TestSupport
import Testing
import Varlink

@testable import RecordKeeping
@testable import ipctl

/// `ipctl refresh` and `reload` with the built program.
@Suite struct RefreshTests {
    /// The daemon's reply, and its status afterwards.
    private static func server(
        _ scheduled: Int, _ fresh: Int, _ change: (inout StatusView) -> Void = { _ in }
    ) throws -> WireServer {
        try WireServer([
            Sample.reply(Control.Refresh.Reply(scheduled: scheduled, fresh: fresh)), Sample.statusReply(change),
        ])
    }

    @Test(
        arguments: [
            (0, 0, "nothing to refresh"),
            (0, 1, "nothing to refresh: the record is current"),
            (1, 0, "1 address is being refreshed"),
            (
                1_234, 5_678,
                "1,234 addresses are being refreshed; 5,678 other records are current"
            ),
        ])
    func `refresh reports the refreshed and the current records`(scheduled: Int, fresh: Int, said: String) throws {
        let server = try Self.server(scheduled, fresh)
        let ended = try BuiltIpctl.run(server, "refresh", "192.0.2.1", "::1")
        #expect(ended == .init(status: 0, output: said + "\n", errors: ""))
        let parameters = #"{"addresses":["192.0.2.1","::1"]}"#
        #expect(server.calls.first == #"{"method":"io.iprecord.Control.Refresh","parameters":\#(parameters)}"#)
    }

    @Test func `without addresses, refresh applies to the whole list`() throws {
        let server = try Self.server(2, 0)
        let ended = try BuiltIpctl.run(server, "--json", "refresh")
        #expect(ended == .init(status: 0, output: #"{"fresh":0,"scheduled":2}"# + "\n", errors: ""))
        #expect(server.calls.first == #"{"method":"io.iprecord.Control.Refresh","parameters":{}}"#)
    }

    @Test(arguments: [[], ["--json"]] as [[String]])
    func `offline, nothing is refreshed, and the exit status is 75`(
        options: [String]
    ) throws {
        let server = try Self.server(3, 2) {
            $0.isOnline = false
            $0.networkReason = "no route"
        }
        let ended = try BuiltIpctl.run(["--socket", server.path] + options + ["refresh"], environment: ["TZ": "UTC0"])
        #expect(ended.status == 75)
        guard options.isEmpty else {
            #expect(ended.output == #"{"fresh":2,"scheduled":3}"# + "\n")
            return
        }
        #expect(ended.output.hasPrefix("3 addresses will be refreshed when the network is back: offline since "))
        #expect(ended.output.hasSuffix(", no route; 2 other records are current\n"))
    }

    @Test func `offline with nothing to refresh, the exit status is 0`() throws {
        let ended = try BuiltIpctl.run(try Self.server(0, 2) { $0.isOnline = false }, "refresh")
        #expect(ended.status == 0)
        #expect(ended.output == "nothing to refresh: all 2 records are current\n")
    }

    @Test func `without quota, or throttled, the next window is reported`() throws {
        let next = WallTime(milliseconds: Times.now + 40_000)
        let usedUp = try Self.server(3, 0) {
            $0.provider.quotas = [
                .init(endpoint: .single, limit: 45, remaining: 0, resetsAt: next),
                .init(endpoint: .batch, limit: 15, remaining: 0, resetsAt: next),
            ]
        }
        let ended = try BuiltIpctl.run(usedUp, "refresh")
        #expect(ended.status == 75)
        #expect(
            ended.output.contains(
                /^3 addresses wait for the provider's next quota window, which begins in (39|40) s\n$/))
        let throttled = try Self.server(1, 0) {
            $0.provider.state = .throttled
            $0.provider.quotas = []
        }
        #expect(
            try BuiltIpctl.run(throttled, "refresh")
                == .init(status: 75, output: "1 address waits for the provider's next quota window\n", errors: ""))
        let half = try Self.server(1, 0) {
            $0.provider.quotas = [
                .init(endpoint: .single, limit: 45, remaining: 1, resetsAt: next),
                .init(endpoint: .batch, limit: 15, remaining: 0, resetsAt: next),
            ]
        }
        #expect(
            try BuiltIpctl.run(half, "refresh")
                == .init(status: 0, output: "1 address is being refreshed\n", errors: ""))
    }

    @Test(arguments: [.failing, .unauthorized, .throttled] as [ProviderState])
    func `if one endpoint cannot be called, the other one refreshes the records`(state: ProviderState) throws {
        for blocked in Call.Endpoint.allCases {
            let server = try Self.server(12, 0) {
                ($0.provider.state, $0.provider.message) = (state, "HTTP 403")
                $0.provider.endpoints = [
                    Self.endpoint(blocked, state, "HTTP 403"), Self.endpoint(blocked.other, .ok),
                ]
            }
            let ended = try BuiltIpctl.run(server, "refresh")
            #expect(ended == .init(status: 0, output: "12 addresses are being refreshed\n", errors: ""))
        }
    }

    @Test func `if one endpoint is failing and the other one has no call left, the next window is reported`() throws {
        let server = try Self.server(12, 0) {
            ($0.provider.state, $0.provider.message) = (.failing, "HTTP 503")
            $0.provider.endpoints = [Self.endpoint(.single, .ok), Self.endpoint(.batch, .failing, "HTTP 503")]
            $0.provider.quotas = [
                .init(endpoint: .single, limit: 45, remaining: 0, resetsAt: WallTime(milliseconds: Times.now + 40_000)),
                .init(endpoint: .batch, limit: 15, remaining: 9, resetsAt: WallTime(milliseconds: Times.now + 9_000)),
            ]
        }
        let ended = try BuiltIpctl.run(server, "refresh")
        #expect(ended.status == 75)
        let text = /^12 addresses wait for the provider's next quota window, which begins in (39|40) s; batch/
        #expect(ended.output.contains(text), "\(ended.output)")
        #expect(ended.output.hasSuffix("; batch calls fail: HTTP 503\n"), "\(ended.output)")
    }

    @Test func `if both endpoints are failing, the exit status is 75`() throws {
        let status = Sample.statusReply {
            ($0.provider.state, $0.provider.message) = (.unauthorized, "HTTP 403")
            $0.provider.endpoints = [
                Self.endpoint(.single, .failing, "HTTP 503"), Self.endpoint(.batch, .unauthorized, "HTTP 403"),
            ]
        }
        let refreshed = Sample.reply(Control.Refresh.Reply(scheduled: 1, fresh: 0))
        let server = try WireServer([refreshed, status, Sample.page([]), Sample.page([])])
        let ended = try BuiltIpctl.run(server, "refresh")
        let output = "1 address is being refreshed; the provider is unauthorized: HTTP 403\n"
        #expect(ended == .init(status: 75, output: output, errors: ""))
    }

    @Test func `a refresh waits for calls that are kept for others, but not if its call is in flight`() throws {
        let kept = try Self.server(1, 0) { $0.provider.message = "the quota is used up until the next window" }
        let ended = try BuiltIpctl.run(kept, "refresh")
        #expect(ended.status == 75)
        #expect(ended.output.hasPrefix("1 address waits for the provider's next quota window"), "\(ended.output)")
        let inFlight = try Self.server(1, 0) {
            $0.due = 0
            let next = WallTime(milliseconds: Times.now + 40_000)
            $0.provider.quotas = [.init(endpoint: .single, limit: 45, remaining: 0, resetsAt: next)]
        }
        #expect(
            try BuiltIpctl.run(inFlight, "refresh")
                == .init(status: 0, output: "1 address is being refreshed\n", errors: ""))
    }

    private static func endpoint(
        _ endpoint: Call.Endpoint, _ state: ProviderState, _ message: String? = nil
    ) -> StatusView.Endpoint {
        .init(endpoint: endpoint, state: state, since: Sample.wall(-60), message: message, calls: 9, failures: 0)
    }

    @Test func `while the store is failing, the exit status is 75, with the reason`() throws {
        let failing = try Self.server(2, 0) { $0.storeFailure = "database or disk is full" }
        let ended = try BuiltIpctl.run(failing, "refresh")
        #expect(
            ended
                == .init(
                    status: 75,
                    output: "2 addresses wait until the database can be written: database or disk is full\n",
                    errors: ""))
    }

    @Test func `with a failing provider, only one address is tried, and the exit status is 75`() throws {
        let rest = "the provider is failing: HTTP 503\n"
        #expect(
            try Self.failing(12) == "1 of 12 addresses is being refreshed, the others follow if that succeeds; " + rest)
        #expect(try Self.failing(1) == "1 address is being refreshed; " + rest)
    }

    @Test func `if the provider has requested a wait, the time of the next attempt is reported`() throws {
        let rest = "; the provider is failing: HTTP 503\n"
        for addresses in [[], ["192.0.2.1", "::1"]] {
            #expect(try Self.failing(1, addresses, waiting: 90) == "1 address will be refreshed in 90 s" + rest)
            #expect(
                try Self.failing(12, addresses, waiting: 90)
                    == "1 of 12 addresses will be refreshed in 90 s, the others follow if that succeeds" + rest)
        }
    }

    /// Runs `refresh` while the provider is failing, and returns the output.
    ///
    /// - Parameter seconds: the time until the next attempt; nil if it is being made.
    private static func failing(
        _ scheduled: Int, _ addresses: [String] = [], waiting seconds: Int64? = nil
    ) throws -> String {
        let status = Sample.statusReply {
            $0.provider.state = .failing
            $0.provider.message = "HTTP 503"
        }
        var entry = try Sample.entry(.stale)
        entry.failure = try Sample.failure(.rejected, "HTTP 503", nextAttemptIn: seconds.map { $0 * 1_000 })
        let refreshed = Sample.reply(Control.Refresh.Reply(scheduled: scheduled, fresh: 0))
        let failed = seconds == nil ? [Sample.page([])] : []
        let server = try WireServer([refreshed, status, Sample.page([entry])] + failed)
        let ended = try BuiltIpctl.run(["--socket", server.path, "refresh"] + addresses)
        #expect(ended.status == 75)
        // Some of the addresses may be fresh and have no next attempt.
        #expect(server.calls.dropFirst(2).allSatisfy { $0.contains("Control.List") })
        return ended.output
    }

    @Test(
        arguments: [
            (0, 0, "reloaded; the watch list is unchanged"), (1, 0, "reloaded; 1 address added, 0 removed"),
            (1_500, 3, "reloaded; 1,500 addresses added, 3 removed"),
        ])
    func `reload prints a summary`(added: Int, removed: Int, said: String) throws {
        let server = try WireServer([Sample.reply(Control.Reload.Reply(added: added, removed: removed))])
        let ended = try BuiltIpctl.run(server, "reload")
        #expect(ended == .init(status: 0, output: said + "\n", errors: ""))
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Reload","parameters":{}}"#])
    }

    @Test func `reload counts changed entries`() throws {
        let server = try WireServer([Sample.reply(Control.Reload.Reply(added: 0, changed: 1_200, removed: 0))])
        let ended = try BuiltIpctl.run(server, "reload")
        #expect(
            ended == .init(status: 0, output: "reloaded; 0 addresses added, 1,200 changed, 0 removed\n", errors: ""))
    }

    @Test func `a daemon of an older version does not count changed entries`() throws {
        let server = try WireServer([OutgoingReply.message(["added": 1, "removed": 2])])
        let ended = try BuiltIpctl.run(server, "reload")
        #expect(ended == .init(status: 0, output: "reloaded; 1 address added, 2 removed\n", errors: ""))
    }

    @Test func `errors in lists are reported, one per line`() throws {
        let message =
            "reloaded with errors: line 2 of a.list: \"8.8.8\" is not an IP address\n" + "line 9 of a.list: \u{1B}[2J"
        let ended = try BuiltIpctl.run(try WireServer([OutgoingReply.error(.reloadFailed(message))]), "reload")
        #expect(ended.status == 65)
        #expect(
            ended.errors == """
                ipctl: reloaded with errors: line 2 of a.list: "8.8.8" is not an IP address
                line 9 of a.list: \u{FFFD}[2J\n
                """)
    }

    @Test func `with --json reload prints the reply`() throws {
        let server = try WireServer([Sample.reply(Control.Reload.Reply(added: 1, removed: 2))])
        let ended = try BuiltIpctl.run(server, "reload", "--json")
        #expect(ended == .init(status: 0, output: #"{"added":1,"changed":0,"removed":2}"# + "\n", errors: ""))
    }
}
