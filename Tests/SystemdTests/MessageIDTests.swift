import Systemd
import Testing

@Suite struct MessageIDTests {
    @Test func `each kind has an id of its own, as the journal spells them`() {
        let texts = MessageID.allCases.map(\.text)
        #expect(Set(texts).count == MessageID.allCases.count)
        for text in texts {
            #expect(text.count == 32)
            #expect(text.allSatisfy { $0.isHexDigit && !$0.isUppercase })
        }
    }

    @Test func `an id is found by the kind's name`() {
        #expect(MessageID(rawValue: "networkLost") == .networkLost)
        #expect(MessageID(rawValue: "refreshed") == nil)
    }
}
