import Control
import RecordKeeping
import Varlink

/// Replies to plain questions about what is fresh, which take no event. They gather here until the peer that is being served
/// sends them.
struct Glances: ~Copyable {
    /// What the last message has asked about, and what is known of that.
    private var asked: [IPAddress] = []
    private var known: [FreshEntry] = []
    /// What was put down of what many entries have in common.
    var writing = EntryWriting()
    private var replies = JSONWriter()
    /// Until it is taken back.
    var wereAsked = false

    /// To put down more takes longer than to look at the clock.
    private static let mostAtAMoment = 4

    /// Of the memory for replies.
    private static let mostKept = 1_048_576

    /// How much there is of replies, in bytes.
    var bytes: Int { replies.count }

    /// How many addresses the last message has asked about.
    var addressCount: Int { asked.count }

    /// Puts down the reply to a message behind the others, if it is such a question.
    ///
    /// - Parameters:
    ///   - moment: when the first of several such was looked at; nil before. They come microseconds after each other; after one
    ///     that takes longer it is nil again.
    ///   - send: is handed what has been put down whenever that is much, and it is gone then.
    /// - Returns: whether it did.
    mutating func reply(
        to message: UnsafeBufferPointer<UInt8>, at moment: inout Instant?, from engine: Engine,
        send: (UnsafeBufferPointer<UInt8>) -> Void
    ) -> Bool {
        guard PlainShow.read(message, most: ControlLimits.addressesPerTurn, into: &asked) else { return false }
        let now = moment ?? SystemClock.now
        moment = now
        guard engine.glance(asked, at: now, into: &known) else { return false }
        wereAsked = true
        writing.writeReply(known, common: engine.common, to: &replies) { writer in
            guard writer.count > ControlLimits.bytesPerPart else { return }
            writer.withBytes(send)
            writer.truncate(to: 0)
        }
        if asked.count > Self.mostAtAMoment { moment = nil }
        return true
    }

    /// Hands out the replies, which are gone then.
    mutating func take(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        replies.withBytes(body)
        if replies.count > Self.mostKept { replies = JSONWriter() } else { replies.truncate(to: 0) }
    }
}
