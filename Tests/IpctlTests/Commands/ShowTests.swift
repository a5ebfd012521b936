import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl show` with the built program: waiting, the reasons for missing records, and notes about stale records.
@Suite struct ShowTests {
    private static func run(_ entries: [Interface.Entry], _ arguments: String...) throws -> BuiltIpctl.Ended {
        let server = try WireServer([OutgoingReply.message(["entries": entries])])
        return try BuiltIpctl.run(
            ["--socket", server.path, "show", "192.0.2.1"] + arguments, environment: ["TZ": "UTC0"])
    }

    @Test(arguments: [("24h", 3_600_000), ("61m", 3_600_000), ("1h", 3_600_000), ("1.5", 1_500), ("0", 0)])
    func `the wait of a call is at most the daemon's limit of an hour`(wait: String, milliseconds: Int) throws {
        let fresh = try Sample.entry(.fresh, record: Sample.record, scanned: -1)
        let server = try WireServer([OutgoingReply.message(["entries": [fresh]])])
        #expect(try BuiltIpctl.run(server, "show", "192.0.2.1", "--wait", wait).status == 0)
        #expect(server.calls.count == 1)
        #expect(server.calls.first?.contains(#""wait":\#(milliseconds)}"#) == true, "\(server.calls)")
    }

    @Test func `fields of a JSON reply are not printed`() throws {
        let fresh = try Sample.entry(.fresh, record: Sample.record, scanned: -1)
        let ended = try Self.run([fresh], "--json", "--field", "city")
        #expect(ended == .init(status: 64, output: "", errors: "ipctl: give --json or --field, not both\n"))
    }

    @Test func `a wait continues only after a call that lasted until its end`() {
        let (over, ahead) = (Deadline(in: .zero), Deadline(in: .seconds(1_000)))
        #expect(Show.continues(after: over, until: ahead))
        #expect(!Show.continues(after: ahead, until: ahead))
        #expect(!Show.continues(after: over, until: over))
    }

    @Test func `a wait beyond the daemon's limit needs several calls`() throws {
        let replies = [
            OutgoingReply.message(["entries": [try Sample.entry(.loading)]]),
            OutgoingReply.message(["entries": [try Sample.entry(.fresh, record: Sample.record, scanned: -1)]]),
        ]
        let server = try WireServer(replies)
        let connection = try DaemonConnection(path: server.path, limits: TimeLimits())
        var rest: Int64? = 86_400_000
        // The limit is 0 instead of an hour, so that it is reached at once.
        let (_, entries) = try ipctl.Show.reply(
            to: ["192.0.2.1"], wait: &rest, until: Deadline(in: .seconds(86_400)), on: connection, limit: 0)
        #expect(entries.map(\.state) == ["fresh"])
        #expect(server.calls.count == 2)
        #expect(server.calls.allSatisfy { $0.contains(#""wait":0}"#) }, "\(server.calls)")
    }

    @Test func `an entry without a record after a wait has the reason why the wait has ended`() throws {
        let loading = try Sample.entry(.loading)
        let waited = try Self.run([loading], "--wait", "1h")
        #expect(waited.status == 75)
        #expect(waited.output.contains("Waiting  the daemon ended the wait of 60 min (--wait) early; "), "\(waited)")
        let known = try Self.run([loading], "--wait", "0")
        #expect(known.status == 75 && !known.output.contains("Waiting"), "\(known)")
        let stale = try Sample.entry(.stale, record: Sample.record, scanned: -900)
        let field = try Self.run([stale], "--field", "city", "--wait", "1h")
        #expect(field.status == 0 && field.output == "Berlin\n")
        #expect(field.errors.contains(": the daemon ended the wait of 60 min (--wait) early; "), "\(field.errors)")
    }

    @Test func `an entry that waits for the quota has the reason and the time of the next window`() throws {
        var entry = try Sample.entry(.loading)
        entry.failure = try Sample.failure(
            .quotaExhausted, "the quota is used up until the next window", nextAttemptIn: 36_500)
        let ended = try Self.run([entry])
        #expect(ended.status == 75)
        #expect(
            ended.output.contains(/Waiting  the quota is used up until the next window, in (36|37) s\n/),
            "\(ended.output)")
    }

    @Test func `an entry that waits for the disk has the reason and the time of the next attempt`() throws {
        var entry = try Sample.entry(.loading)
        entry.failure = try Sample.failure(
            .storeFailed, "the database could not be written: disk full", nextAttemptIn: 9_500)
        let ended = try Self.run([entry])
        #expect(ended.status == 75)
        let text = /Waiting  the database could not be written: disk full; next try in (9|10) s\n/
        #expect(ended.output.contains(text), "\(ended.output)")
    }

    @Test func `a table has the reason and the next attempt of missing and of stale records`() throws {
        var stale = try Sample.entry(.stale, address: "192.0.2.1", record: Sample.record, scanned: -900)
        stale.failure = try Sample.failure(.timeout, "no reply within 2 s", nextAttemptIn: 30_500)
        var loading = try Sample.entry(.loading, address: "192.0.2.2")
        loading.failure = try Sample.failure(
            .quotaExhausted, "the quota is used up until the next window", nextAttemptIn: 36_500)
        let ended = try Self.run([stale, loading], "192.0.2.2")
        #expect(ended.output.contains(/no reply within 2 s; next try in (30|31) s\n/), "\(ended.output)")
        #expect(
            ended.output.contains(/loading +the quota is used up until the next window, in (36|37) s/),
            "\(ended.output)")
    }

    @Test func `a field of local databases has a note on standard error, and the status of a missing record`() throws {
        var entry = try Sample.entry(.failed, watch: nil)
        entry.failure = try Sample.failure(.offline, "no route to ip-api.com: no route", nextAttemptIn: nil)
        entry.offline = Sample.offline
        let ended = try Self.run([entry], "--field", "city")
        let note =
            "ipctl: the record of 192.0.2.1 is offline, from GeoLite2-City, GeoLite2-ASN of 2026-12-16: "
            + "no route to ip-api.com: no route\n"
        #expect(ended == .init(status: 75, output: "Ulm\n", errors: note))
        let named = try Self.run([entry], "--field", "city", "--field", "offline")
        #expect(named == .init(status: 75, output: "Ulm\nGeoLite2-City, GeoLite2-ASN\n", errors: ""))
        #expect(try Self.run([entry], "--field", "state").errors == "", "no field of the record")
        let unsubstituted = try Self.run([entry], "--field", "scannedAt")
        #expect(unsubstituted.errors == "ipctl: 192.0.2.1 has no record: no route to ip-api.com: no route\n")
        let two = try Self.run([entry, entry], "192.0.2.1", "--field", "city")
        #expect(two.errors == "ipctl: 2 of 2 records are from local databases; --field offline shows which\n")
    }

    @Test func `a record of local databases is in the JSON reply, and is never a fresh record`() throws {
        var entry = try Sample.entry(.failed, watch: nil)
        entry.offline = Sample.offline
        let json = try Self.run([entry], "--json")
        #expect(json.status == 75 && json.errors == "")
        #expect(json.output.contains(#""offline":{"builtAt":"#) && !json.output.contains("scannedAt"), "\(json.output)")
        for option in [["--fresh"], ["--max-age", "24h"]] {
            let server = try WireServer([OutgoingReply.message(["entries": [entry]])])
            let ended = try BuiltIpctl.run(["--socket", server.path, "show", "192.0.2.1", "--field", "city"] + option)
            #expect(ended.status == 75 && ended.output == "", "\(option)")
        }
    }

    @Test func `a field of a stale record has a note on standard error`() throws {
        var stale = try Sample.entry(.stale, record: Sample.record, scanned: -900)
        stale.failure = try Sample.failure(.offline, "no route to ip-api.com: no route", nextAttemptIn: nil)
        stale.scannedAt = Times.now - 3 * 3_600_000
        let ended = try Self.run([stale], "--field", "city")
        let note =
            "ipctl: the record of 192.0.2.1 is stale, scanned 3 h ago: no route to ip-api.com: no route; "
            + "next try when the network is back\n"
        #expect(ended == .init(status: 0, output: "Berlin\n", errors: note))
        #expect(try Self.run([stale], "--field", "city", "--field", "state").errors == "")
        #expect(try Self.run([stale], "--json").errors == "")
        let two = try Self.run([stale, stale], "192.0.2.1", "--field", "city")
        #expect(two.errors == "ipctl: 2 of 2 records are stale; --field state shows which\n")
    }

    @Test func `a field without a record has a note with the reason on standard error`() throws {
        var empty = try Sample.entry(.empty)
        empty.reason = "private range (RFC 1918)"
        let ended = try Self.run([empty], "--field", "city")
        let note = "ipctl: 192.0.2.1 has no record: private range (RFC 1918)\n"
        #expect(ended == .init(status: 1, output: "\n", errors: note))
        #expect(try Self.run([empty], "--field", "city", "--field", "state").errors == "")
        var loading = try Sample.entry(.loading)
        loading.failure = try Sample.failure(.offline, "no route to ip-api.com", nextAttemptIn: nil)
        let reason = "ipctl: 192.0.2.1 has no record: no route to ip-api.com"
        #expect(try Self.run([loading], "--field", "city").errors.hasPrefix(reason))
        let two = try Self.run([empty, empty], "192.0.2.1", "--field", "city")
        #expect(two.errors == "ipctl: 2 of 2 addresses have no record; --field state shows which\n")
    }
}
