import Control

/// The sums of the replies to several `Add` calls.
struct AdditionCounts: Hashable {
    /// The number of addresses that were not on the watch list.
    var added = 0
    /// The number of addresses that were already on the watch list.
    var already = 0
    /// The number of watches that had an end, and no longer end by themselves.
    var endsRemoved = 0
    /// The number of watches that end later than requested, or not at all.
    var endsKept = 0

    mutating func add(_ reply: Control.Add.Reply) {
        added = added.clampedAdding(reply.added)
        already = already.clampedAdding(reply.already)
        endsRemoved = endsRemoved.clampedAdding(reply.endsRemoved ?? 0)
        endsKept = endsKept.clampedAdding(reply.endsKept ?? 0)
    }

    /// Returns the summary of the added addresses.
    func sentence(verb: String = "added") -> String {
        let new = "\(Times.count(added, "address")) \(verb)"
        return already == 0 ? new : "\(new), \(Times.grouped(already)) already on the list"
    }

    /// Returns the sentence about the ends of the watches.
    ///
    /// - Parameter until: the requested end, in Unix milliseconds.
    func sentence(until: Int64) -> String {
        let time = Times.clock(until, from: Times.now)
        guard endsKept > 0 else { return "watched until \(time)" }
        guard added > 0 || endsKept < already else { return "already watched beyond \(time)" }
        return "watched until \(time); \(Times.count(endsKept, "address")) already watched for longer"
    }

    /// The sentence about watches that no longer end; nil if there are none.
    var sentenceAboutRemovedEnds: String? {
        switch endsRemoved {
        case 0: nil
        case 1: "1 watch no longer ends by itself"
        default: "\(Times.grouped(endsRemoved)) watches no longer end by themselves"
        }
    }
}
