import Control
import JSON
import RecordKeeping
import Varlink

/// The fast path: replies to `Show` calls for fresh records, without an event. The replies are collected here until the
/// peer that is being served sends them.
struct FreshReader: ~Copyable {
    /// The last call.
    private var asked = ShowScanner()
    /// The entries of its addresses.
    private var known: [FreshEntryView] = []
    /// The encoder of entries, which caches the text of values that many entries share.
    var writing: EntryWriter
    private var replies = JSONWriter()
    /// Whether a call has been answered since `ControlServer.resetFreshReader` was last called.
    var wereAsked = false

    /// - Parameter offline: returns the record that is added to an entry without a fresh record.
    init(offline: @escaping OfflineLookup = { _ in nil }) {
        writing = EntryWriter(offline: offline)
    }

    /// Number of addresses in a reply above which the clock is read again, because encoding more of them takes longer
    /// than reading the clock.
    private static let maxAddressesPerMoment = 4

    /// Size of the collected replies, in bytes, above which their memory is freed once they are sent.
    private static let maxKeptBytes = 1_048_576

    /// The size of the collected replies, in bytes.
    var bytes: Int { replies.count }

    /// The number of addresses in the last message.
    var addressCount: Int { asked.addresses.count }

    /// The last call as a request, if `reply` has decoded it.
    var request: Request.Body { asked.request }

    /// Reads a message, and answers it if it is a `Show` call for fresh records. The reply is appended to the collected
    /// ones.
    ///
    /// - Parameters:
    ///   - moment: the time that successive messages share; nil to read the clock. It becomes nil again after a reply
    ///     with more than `maxAddressesPerMoment` addresses.
    ///   - send: called with the replies collected so far when they exceed `ControlLimits.bytesPerPart`; they are then
    ///     discarded.
    /// - Returns: `decoded` if the message is a `Show` call, but not all of its records are fresh (``request``).
    mutating func reply(
        to message: UnsafeBufferPointer<UInt8>, at moment: inout Instant?, from engine: Engine,
        send: (UnsafeBufferPointer<UInt8>) -> Void
    ) -> ServerConversation.Handling {
        guard asked.read(message, maximum: ControlLimits.addressesPerTurn) else { return .none }
        let now = moment ?? SystemClock.now
        moment = now
        guard engine.readFresh(asked.addresses, at: now, into: &known) else { return .decoded }
        wereAsked = true
        writing.writeReply(known, internedValues: engine.internedValues, to: &replies) { writer in
            guard writer.count > ControlLimits.bytesPerPart else { return }
            writer.withBytes(send)
            writer.truncate(to: 0)
        }
        if addressCount > Self.maxAddressesPerMoment { moment = nil }
        return .answered
    }

    /// Passes the collected replies to `body`, then discards them.
    mutating func flush(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        replies.withBytes(body)
        if replies.count > Self.maxKeptBytes { replies = JSONWriter() } else { replies.truncate(to: 0) }
    }
}
