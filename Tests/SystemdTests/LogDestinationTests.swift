import Systemd
import TestSupport
import Testing

@Suite struct LogDestinationTests {
    private static func choose(
        stream: String? = nil, exec: String? = nil, standardError: (UInt64, UInt64)? = (8, 99), hasJournal: Bool = true
    ) -> LogDestination {
        .choose(
            journalStream: stream, execPID: exec, standardError: standardError.map { (device: $0.0, inode: $0.1) },
            pid: 4711, hasJournal: hasJournal)
    }

    @Test func `a service with a journal uses the native protocol`() {
        #expect(Self.choose(stream: "8:99", exec: "4711") == .journal)
        #expect(Self.choose(stream: "8:99") == .journal)
    }

    @Test func `a service whose standard error is redirected or closed uses the native protocol`() {
        #expect(Self.choose(exec: "4711") == .journal)
        #expect(Self.choose(exec: "4711", standardError: nil) == .journal)
    }

    @Test func `a service without the journal's socket writes to the journal's stream`() {
        #expect(Self.choose(stream: "8:99", exec: "4711", hasJournal: false) == .journalStream)
    }

    @Test func `a process that was started by hand writes to standard error`() {
        #expect(Self.choose() == .standardError)
        #expect(Self.choose(hasJournal: false) == .standardError)
    }

    @Test func `a child that inherited a service's environment writes to standard error`() {
        #expect(Self.choose(stream: "8:98", exec: "1") == .standardError)
        #expect(Self.choose(stream: "", exec: "") == .standardError)
    }

    @Test func `without systemd the probe writes messages with all metadata to standard error`() throws {
        let ended = try Probe.run("log")
        #expect(ended.output == "standardError\n")
        let lines = ended.errors.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(
            lines.first?.trimmingPrefix(/20\S+Z\s/) == #"""
                warning two\nlines IPRECORD_EVENT=networkLost MESSAGE_ID=202cf51425224997b73e90a673c468a0 \#
                addresses="[\"192.0.2.1\", \"2001:db8::1\"]" priority=a\u{0}b\u{1} retry_after=5
                """#)
    }
}
