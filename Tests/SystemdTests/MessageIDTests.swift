import Systemd
import Testing

@Suite struct MessageIDTests {
    @Test func `ids are unique, and have 32 hexadecimal digits in lower case`() {
        let texts = MessageID.allCases.map(\.text)
        #expect(Set(texts).count == MessageID.allCases.count)
        for text in texts {
            #expect(text.count == 32)
            #expect(text.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        }
    }

    @Test func `the raw value of an id is the name of its kind`() {
        #expect(MessageID(rawValue: "networkLost") == .networkLost)
        #expect(MessageID(rawValue: "refreshed") == nil)
    }
}
