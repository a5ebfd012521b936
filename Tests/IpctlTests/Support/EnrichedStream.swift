import Control
import RecordKeeping

@testable import ipctl

/// A stream of lines, with a clock and a daemon that the test plays.
final class EnrichedStream {
    private var lines: EnrichedLines
    let entries: EntryAnswers
    /// The time in milliseconds.
    var now: Int64 = 1_000_000

    init(_ entries: EntryAnswers, hasHeader: Bool = true, _ settings: EnrichedLines.Settings = .init()) {
        self.entries = entries
        lines = EnrichedLines(LineEditor(entries.addition, hasHeader: hasHeader), settings)
    }

    convenience init(fields: String...) {
        self.init(EntryAnswers(FieldAddition(.text, names: fields)))
    }

    var unansweredLines: Int { lines.unansweredLines }
    var hasRoom: Bool { lines.hasRoom }
    var hasLongLines: Bool { lines.hasLongLines }
    var droppedWatches: Int { lines.droppedWatches }
    /// Milliseconds until the first line need not wait any longer.
    var rest: Int64? { lines.deadline.map { $0 - now } }

    /// Returns the output after some input.
    func receive(_ text: String) throws -> String {
        lines.receive(text.utf8)
        return try advanced()
    }

    func end() throws -> String {
        lines.end()
        return try advanced()
    }

    /// Returns the output after some time.
    func pass(_ milliseconds: Int64) throws -> String {
        now += milliseconds
        return try advanced()
    }

    func writeAll() -> String {
        lines.writeAll()
        return String(decoding: lines.takeOutput(), as: UTF8.self)
    }

    private func advanced() throws -> String {
        try lines.advance(at: now)
        return String(decoding: lines.takeOutput(), as: UTF8.self)
    }

    func takeQuestions(_ maximum: Int = 1_000) -> [AddressAnswer] { lines.takeQuestions(maximum) }

    func takeUnwatched() -> [String] { lines.takeUnwatched(1_000).map { "\($0.address)" } }

    func askAgain(_ answers: [AddressAnswer]) { lines.askAgain(answers, at: now) }

    func startPassingOn() throws -> String {
        lines.startPassingOn(at: now)
        return try advanced()
    }

    func addPause(_ milliseconds: Int64) { lines.addPause(milliseconds) }

    func stopPassingOn() { lines.stopPassingOn() }

    /// Replies to questions with the entries of some addresses, and returns the output.
    func reply(
        to answers: [AddressAnswer], _ known: Interface.Entry..., isFinal: Bool = false
    ) throws -> String {
        for answer in answers {
            entries.set(
                answer, to: known.first { $0.address == "\(answer.address)" }, isFinal: isFinal, now: now,
                wallNow: Sample.now)
        }
        return try advanced()
    }

    /// Replies to all questions.
    func reply(_ known: Interface.Entry..., isFinal: Bool = false) throws -> String {
        for answer in takeQuestions() {
            entries.set(
                answer, to: known.first { $0.address == "\(answer.address)" }, isFinal: isFinal, now: now,
                wallNow: Sample.now)
        }
        return try advanced()
    }

    /// An entry with a record of Germany, which expires in five minutes if it is fresh.
    static func entry(_ state: EntryState, _ address: String = Sample.address) throws -> Interface.Entry {
        try Sample.entry(
            state, address: address, record: state == .loading || state == .failed ? nil : Sample.record,
            scanned: state == .loading || state == .failed ? nil : -60,
            expires: state == .fresh ? 240 : state == .stale ? -1 : nil)
    }
}
