import Control
import JSON
import RecordKeeping
import Varlink

/// The encoder of the replies of a simulated process, with the daemon's caches.
///
/// It is a class because `EntryWriter` cannot be copied. A `Simulation` that could not be copied would take the
/// compiler four minutes: the check of such values takes time that grows with the square of the number of stored
/// properties, which include those of the whole core.
final class SimulatedEncoder {
    /// Serialized forms of the values that many entries share.
    private var entries = EntryWriter()

    /// Serializes a response.
    func message(_ response: Response, continues: Bool, state: StateReplies) -> [UInt8] {
        OutgoingReply.message(response, continues: continues, with: &entries, state: state)
    }

    /// Serializes the reply to a `Show` of fresh records, on the fast path.
    func reply(_ known: [FreshEntryView], internedValues: InternedValues) -> [UInt8] {
        var writer = JSONWriter()
        entries.writeReply(known, internedValues: internedValues, to: &writer)
        return writer.bytes
    }
}
