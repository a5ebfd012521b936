import Control
import RecordKeeping

/// Something that a script waits for.
protocol WaitCondition {
    /// The events from which it may follow.
    var kinds: [Notice.Kind] { get }
    /// Only events about these; nil for all.
    var addresses: [String] { get }
    /// What is not so yet, as the rest of a sentence.
    var lacking: String { get }

    /// Returns once it is so, and has been told.
    ///
    /// - Parameters:
    ///   - events: has begun.
    ///   - onlooker: another connection, to see how things are.
    mutating func wait(for events: EventStream, looking onlooker: Connection, _ output: Output) throws(Complaint)
}

extension WaitCondition {
    /// "192.0.2.1", "192.0.2.1 and 4 more".
    func shown(_ addresses: some Collection<String>) -> String {
        let first = self.addresses.first { addresses.contains($0) } ?? ""
        return addresses.count > 1 ? "\(first) and \(Times.grouped(addresses.count - 1)) more" : first
    }

    /// What is not watched is looked up one time, and never again.
    func notWatched(_ address: String) -> Complaint {
        Complaint(
            status: .notAsAsked, message: "\(address.printable) is not on the watch list, so it is not kept fresh",
            advice: "Put it there with: ipctl add \(address.printable)")
    }

    /// What the provider has no record of has none that could change, either.
    func withoutRecord(_ entry: Interface.Entry) -> Complaint {
        let reason = entry.reason.map { ": \($0.printable)" } ?? ""
        return Complaint(
            status: .notAsAsked, message: "there is no record of \(entry.address.printable)\(reason)")
    }

    func removed(_ address: String) -> Complaint {
        Complaint(status: .notAsAsked, message: "\(address.printable) was taken off the watch list")
    }
}
