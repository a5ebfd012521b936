import Foundation
import Glibc
import TestSupport
import Testing

/// `ipctl enrich` with the daemon and the mock provider.
@Suite(.serialized) struct EnrichTests {
    /// A rig that watches an address.
    private static func rig() throws -> Rig {
        let rig = try Rig(mockProvider: Rig.unlimited)
        try #require(try rig.ipctl("add", "1.1.1.1", "--wait").status == 0)
        return rig
    }

    /// A running `ipctl enrich`, whose input the test writes.
    private struct Stream {
        let program: Program
        private let input: FileHandle

        init(_ rig: Rig, _ arguments: String...) throws {
            let pipe = rig.folder + "/input"
            try #require(mkfifo(pipe, 0o600) == 0)
            let command = ["/bin/sh", "-c", "exec \"$@\" <\(pipe)", "sh", Rig.program("ipctl"), "--socket", rig.socket]
            program = try Program(command + ["enrich"] + arguments)
            // Opening waits until the program opens the other end.
            input = try #require(FileHandle(forWritingAtPath: pipe))
        }

        func write(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }

        func end() throws { try input.close() }
    }

    private func field(_ name: String, of address: String, _ rig: Rig) throws -> String {
        try rig.ipctl("show", address, "--field", name).output.trimmingCharacters(in: .newlines)
    }

    /// Whether the mock provider was asked about an address.
    private func isCalled(_ address: String, _ rig: Rig) throws -> Bool {
        try rig.calls().contains { $0.addresses.contains(address) }
    }

    @Test func `known addresses are enriched in all formats, without a call`() throws {
        let rig = try Self.rig()
        let country = try field("countryCode", of: "1.1.1.1", rig)
        let calls = try rig.calls().count
        func enriched(_ input: String, _ arguments: String...) throws -> String {
            let ended = try rig.ipctl(["enrich", "--field", "countryCode"] + arguments, input: input)
            #expect(ended.status == 0 && ended.errors == "", "\(ended)")
            return ended.output
        }
        #expect(
            try enriched("1.1.1.1 > 8.8.8.8:53\r\n") == "1.1.1.1 > 8.8.8.8:53 [1.1.1.1 countryCode=\(country)]\r\n")
        #expect(
            try enriched("{\"a\":\"1.1.1.1\",\"b\":\"8.8.8.8\"}\n", "--format", "jsonl")
                == "{\"a\":\"1.1.1.1\",\"b\":\"8.8.8.8\",\"iprecord\":{\"1.1.1.1\":{\"countryCode\":\"\(country)\"}}}\n"
        )
        #expect(
            try enriched("client,n\n1.1.1.1,1\n8.8.8.8,2\n", "--format", "csv", "--column", "client")
                == "client,n,client.countryCode,client.state\n1.1.1.1,1,\(country),fresh\n8.8.8.8,2,,\n")
        #expect(
            try enriched("src=1.1.1.1 dst=8.8.8.8\n", "--format", "logfmt")
                == "src=1.1.1.1 dst=8.8.8.8 src.countryCode=\(country)\n")
        #expect(try rig.calls().count == calls)
    }

    @Test func `a line is written before the next one is read`() throws {
        let rig = try Self.rig()
        let country = try field("countryCode", of: "1.1.1.1", rig)
        let stream = try Stream(rig, "--field", "countryCode")
        for number in 1...20 {
            try stream.write("\(number) 1.1.1.1\n")
            try stream.program.waitForLine(containing: "\(number) 1.1.1.1 [1.1.1.1 countryCode=\(country)]")
            try stream.write("\(number) 10.0.0.\(number)\n")
            try stream.program.waitForLine(containing: "\(number) 10.0.0.\(number)")
        }
        try stream.end()
        #expect(try stream.program.linesToTheEnd().count == 40)
    }

    @Test func `lookups ask the provider, except about special-purpose addresses, and keep the order`() throws {
        let rig = try Self.rig()
        let input = "9.9.9.9\n1.1.1.1\n10.0.0.1\n8.8.8.8 9.9.9.9\n"
        let ended = try rig.ipctl("enrich", "--lookup", "--field", "countryCode", input: input)
        #expect(ended.status == 0)
        let (one, eight, nine) = (
            try field("countryCode", of: "1.1.1.1", rig), try field("countryCode", of: "8.8.8.8", rig),
            try field("countryCode", of: "9.9.9.9", rig)
        )
        #expect(
            ended.output == """
                9.9.9.9 [9.9.9.9 countryCode=\(nine)]
                1.1.1.1 [1.1.1.1 countryCode=\(one)]
                10.0.0.1
                8.8.8.8 9.9.9.9 [8.8.8.8 countryCode=\(eight)] [9.9.9.9 countryCode=\(nine)]\n
                """)
        #expect(try isCalled("9.9.9.9", rig))
        #expect(try !isCalled("10.0.0.1", rig))
    }

    @Test func `a provider that does not answer delays a line by the wait at most`() throws {
        let rig = try Self.rig()
        try rig.administer("POST", "fault?name=hang")
        let start = Date()
        let ended = try rig.ipctl("enrich", "--lookup", "--wait", "1s", input: "9.9.9.9\n1.1.1.1\n")
        #expect(ended.status == 0)
        #expect(ended.output.hasPrefix("9.9.9.9\n1.1.1.1 [1.1.1.1 "), "\(ended)")
        #expect(Date().timeIntervalSince(start) < 10)
    }

    @Test func `filters keep the lines with a matching address`() throws {
        let rig = try Self.rig()
        try rig.ipctl("add", "8.8.8.8", "--tag", "dns", "--wait")
        let input = "a 1.1.1.1\nb 8.8.8.8\nc\nd 1.1.1.1 8.8.8.8\ne 9.9.9.9\n"
        let tagged = try rig.ipctl("enrich", "--tag", "dns", "--field", "tags", input: input)
        #expect(tagged.output == "b 8.8.8.8 [8.8.8.8 tags=dns]\nd 1.1.1.1 8.8.8.8 [8.8.8.8 tags=dns]\n")
        let known = try rig.ipctl("enrich", "--only-known", "--field", "state", input: input)
        #expect(known.output.split(separator: "\n").map { $0.prefix(1) } == ["a", "b", "d"])
        #expect(try rig.ipctl("enrich", "--tag", "none", input: input).status == 1)
        #expect(try !isCalled("9.9.9.9", rig))
    }

    @Test func `addresses in the lines are watched for a time`() throws {
        let rig = try Self.rig()
        let ended = try rig.ipctl("enrich", "--watch", "1h", input: "8.8.8.8\n1.1.1.1\n10.0.0.1\n")
        #expect(ended.status == 0 && ended.errors == "")
        let until = try #require(try rig.entry("8.8.8.8")["watchedUntil"] as? Double)
        let hour = 3_600_000.0
        let now = Date().timeIntervalSince1970 * 1_000
        #expect(until > now + hour / 2 && until <= now + hour)
        let end = try rig.entry("1.1.1.1")["watchedUntil"] as? Double
        #expect(end == nil, "a watch without an end stays without one")
        #expect(try rig.watched() == 2)
    }

    @Test func `lines pass while the daemon is away, and are enriched again when it is back`() throws {
        let rig = try Self.rig()
        let stream = try Stream(rig, "--field", "state")
        try stream.write("1 1.1.1.1\n")
        try stream.program.waitForLine(containing: "1 1.1.1.1 [1.1.1.1 state=fresh]")
        try #require(rig.daemon).stop()
        // The address is not in the answers that are kept.
        try stream.write("2 1.1.1.2\n")
        try stream.program.waitForLine(containing: "closed the connection; reconnecting")
        try stream.program.waitForLine(containing: "2 1.1.1.2", within: 20)
        try rig.startDaemon()
        try stream.program.waitForLine(containing: "reconnected", within: 20)
        try rig.ipctl("add", "1.1.1.3", "--wait")
        try stream.write("3 1.1.1.3\n")
        try stream.program.waitForLine(containing: "3 1.1.1.3 [1.1.1.3 state=fresh]")
        try stream.end()
        let last = try stream.program.linesToTheEnd().last
        #expect(last == "ipctl: 1 line passed on without the daemon's answers")
    }

    @Test func `the end of the reader ends the command`() throws {
        let rig = try Self.rig()
        let line = "set -o pipefail; yes 1.1.1.1 | \"$0\" --socket \"$1\" enrich | head -n 3 | wc -l"
        let ended = try Program.run(["/bin/bash", "-c", line, Rig.program("ipctl"), rig.socket])
        #expect(ended.output == "3\n" && ended.errors == "", "\(ended)")
    }
}
