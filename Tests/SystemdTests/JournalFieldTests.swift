import Logging
import Systemd
import Testing

@Suite struct JournalFieldTests {
    private static func fields(_ metadata: Logger.Metadata, error: (any Error)? = nil) -> [String] {
        let event = LogEvent(
            level: .warning, message: "two\nlines", error: error, metadata: nil, source: nil,
            file: "Daemon/Engine.swift",
            function: "run()", line: 7)
        return JournalField.fields(of: event, metadata: metadata, identifier: "iprecordd")
            .map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private static let own = [
        "MESSAGE=two\nlines", "PRIORITY=4", "SYSLOG_IDENTIFIER=iprecordd", "CODE_FILE=Daemon/Engine.swift",
        "CODE_LINE=7",
        "CODE_FUNC=run()",
    ]

    @Test func `a message without metadata has only the standard fields`() {
        #expect(Self.fields([:]) == Self.own)
    }

    @Test func `metadata follows in the order of its keys, with one field per array element`() {
        let fields = Self.fields(["b": ["1", "2"], "MESSAGE_ID": "x", "a": "\u{0}=\n", "c": ["k": "v"]])
        #expect(fields == Self.own + ["MESSAGE_ID=x", "A=\u{0}=\n", "B=1", "B=2", "C=[\"k\": \"v\"]"])
    }

    @Test func `an error becomes the field ERROR`() {
        #expect(
            Self.fields([:], error: SystemdError.badCredentialName("x")).last?.hasPrefix("ERROR=\"x\" is no") == true)
    }

    @Test(
        arguments: [
            ("address", "ADDRESS"), ("MESSAGE_ID", "MESSAGE_ID"), ("IPRECORD_EVENT", "IPRECORD_EVENT"),
            ("retry-after", "RETRY_AFTER"), ("a.b c", "A_B_C"), ("_PID", "LOG__PID"), ("9lives", "LOG_9LIVES"),
            ("", "LOG_"), ("message", "LOG_MESSAGE"), ("Priority", "LOG_PRIORITY"), ("é", "LOG___"), ("a=b", "A_B"),
            (String(repeating: "x", count: 70), String(repeating: "X", count: 64)),
        ])
    func `a key becomes a field name that journald accepts`(key: String, name: String) {
        #expect(JournalField.name(for: key) == name)
    }

    @Test(
        arguments: [
            (Logger.Level.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3), (.critical, 2),
        ])
    func `each level has a priority of syslog`(level: Logger.Level, priority: Int) {
        #expect(level.priority == priority)
    }
}
