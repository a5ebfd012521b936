import Foundation
import Logging
import Systemd
import TestSupport
import Testing

@Suite struct StandardErrorHandlerTests {
    private static func line(_ message: String, _ metadata: Logger.Metadata = [:], hasPrefix: Bool = false) -> String {
        let event = LogEvent(
            level: .warning, message: "\(message)", metadata: nil, source: nil, file: "", function: "", line: 0)
        return StandardErrorHandler.line(event, metadata: metadata, hasPrefix: hasPrefix)
    }

    @Test func `a line has the level, the message, and metadata in the order of its keys`() {
        let metadata: Logger.Metadata = ["MESSAGE_ID": "abc", "IPRECORD_SEQ": "7", "address": "192.0.2.1"]
        #expect(Self.line("lost", metadata) == "warning lost IPRECORD_SEQ=7 MESSAGE_ID=abc address=192.0.2.1")
    }

    @Test func `a line for journald begins with the priority in angle brackets`() {
        #expect(Self.line("lost", hasPrefix: true) == "<4>lost")
    }

    @Test(
        arguments: [
            ("two words", "k=\"two words\""), ("", "k=\"\""), ("a=b", "k=\"a=b\""), ("say \"x\"", #"k="say \"x\"""#),
            ("a\nb", #"k=a\nb"#), ("\u{1b}[31m", #"k=\u{1b}[31m"#), (#"c:\d"#, #"k=c:\\d"#), ("é", "k=é"),
        ])
    func `a value is quoted or escaped if necessary`(value: String, text: String) {
        #expect(Self.line("m", ["k": "\(value)"]) == "warning m \(text)")
    }

    @Test func `control characters in a message are escaped`() {
        #expect(Self.line("a\r\nb\u{0}\tc") == #"warning a\r\nb\u{0}\tc"#)
    }

    @Test func `a logger writes one line per message, with a time and merged metadata`() throws {
        let pipe = try PrivatePipe()
        let descriptor = pipe.writing.fileDescriptor
        var logger = Logger(label: "test") { _ in StandardErrorHandler(descriptor: descriptor) }
        logger[metadataKey: "a"] = "1"
        logger.debug("below the level")
        logger.info("logged", metadata: ["b": "2"])
        logger.info("logged again", metadata: ["a": "3"])
        try pipe.writing.close()
        let text = String(decoding: try pipe.reading.readToEnd() ?? Data(), as: UTF8.self)
        let stamp = /20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d\d\dZ\s/
        let lines = text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.prefixMatch(of: stamp) != nil }, "each has its time")
        #expect(lines.map { $0.trimmingPrefix(stamp) } == ["info logged a=1 b=2", "info logged again a=3"])
    }
}
