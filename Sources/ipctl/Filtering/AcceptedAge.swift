import ArgumentParser
import Control
import RecordKeeping

/// Options that leave out records that are too old.
struct AcceptedAge: ParsableArguments {
    @Flag(help: "Print only fresh records.")
    var fresh = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Print only records that were scanned at most this long ago.", valueName: "duration"),
        transform: { try TimeSpan(option: $0) })
    var maxAge: TimeSpan?

    /// Whether an entry is current enough. The answer that the provider has no record of an address counts as a record.
    func accepts(_ entry: Interface.Entry, now: Int64) -> Bool {
        let hasAnswer = entry.record != nil || entry.state == EntryState.empty.rawValue
        guard fresh || maxAge != nil else { return true }
        // A special-purpose address is never looked up, so its entry has no age.
        if entry.state == EntryState.empty.rawValue, entry.scannedAt == nil { return true }
        guard hasAnswer, let scannedAt = entry.scannedAt else { return false }
        if fresh, ![.fresh, .empty].map(\EntryState.rawValue).contains(entry.state) { return false }
        return maxAge.map { now.clampedSubtracting(scannedAt) <= $0.milliseconds } ?? true
    }

    /// The reason why an entry is not accepted.
    func refusal(of entry: Interface.Entry, after wait: EndedWait?, now: Int64) -> String {
        let age = entry.scannedAt.map { "the last record was scanned \(Times.ago($0, from: now))" } ?? "no record yet"
        let reason = EntryTable.problem(entry, now: now, wait: wait).map { ": \($0)" } ?? ""
        return "\(entry.address): \(age)\(reason)"
    }
}
