import DequeModule
import RecordKeeping

/// The lines of a stream on their way from the input to the output, in order, without input or output.
///
/// A line waits until the answers about its addresses are complete, but only for a limited time if it waits for the
/// provider. Lines whose addresses have current answers are written at once. The caller passes the time, in
/// milliseconds of the monotonic clock:
///
///     lines.receive(chunk)
///     try lines.advance(at: now)
///     ask(lines.takeQuestions(100))
///     write(lines.takeOutput())
struct EnrichedLines {
    struct Settings {
        /// Whether lines without a selected address are left out.
        var selectsLines = false
        /// Milliseconds for which a line waits for replies of the provider.
        var wait: Int64 = 0
        /// Milliseconds for which the watch of an address is not extended again; nil if addresses are not watched.
        var watchPause: Int64?
        /// Maximum number of waiting lines, and of their bytes. A line of maximum length may exceed it.
        var maxLines = 10_000
        var maxBytes = 4 << 20
        /// Maximum number of addresses in the queue of queries to the daemon, and in the queue of addresses to watch.
        var maxQuestions = 100_000
    }

    private struct WaitingLine {
        let bytes: [UInt8]
        var scanned = ScannedLine()
        var answers = LineAnswers()
        /// When the line was read, on a clock without the pauses.
        let start: Int64
        /// Whether the bytes are a part of a line that exceeds the length limit, and not searched.
        var isPart = false

        /// The memory of the line, in bytes.
        var cost: Int { bytes.count + scanned.found.count * MemoryLayout<FoundAddress>.stride }
    }

    private let settings: Settings
    private var input: RawLines
    private var editor: LineEditor
    private var cache = AnswerCache()
    private var waiting: Deque<WaitingLine> = []
    private var waitingBytes = 0
    private var scanned = ScannedLine()
    private var answers = LineAnswers()
    private var output: [UInt8] = []
    private var questions: Deque<AddressAnswer> = []
    private var unwatched: Deque<AddressAnswer> = []
    /// The time in which no reply could be read, in milliseconds.
    private var pauses: Int64 = 0
    /// Whether lines are passed on without asking the daemon.
    private(set) var isPassingOn = false
    /// The number of lines that were written before the daemon replied about each of their addresses.
    private(set) var unansweredLines = 0
    /// The number of lines that were kept because of their addresses.
    private(set) var selectedLines = 0
    /// The number of addresses that were not watched because lines were passed on.
    private(set) var droppedWatches = 0
    /// Whether a part of a line that exceeds the length limit was passed on.
    private(set) var hasLongLines = false

    init(_ editor: LineEditor, _ settings: Settings) {
        (self.editor, self.settings) = (editor, settings)
        input = RawLines(editor.addition.format)
    }

    // MARK: Input

    /// Whether more input should be read.
    var hasRoom: Bool {
        waiting.count < settings.maxLines && waitingBytes < settings.maxBytes
            && unwatched.count < settings.maxQuestions
    }

    mutating func receive(_ bytes: some Collection<UInt8>) { input.receive(bytes) }

    /// Ends the stream; the remaining bytes are the last line.
    mutating func end() { input.end() }

    /// Writes the lines that need not wait any longer, and reads lines while there is room.
    ///
    /// - Throws: an error in the header of a CSV file.
    mutating func advance(at now: Int64) throws(LineError) {
        writeWaiting(at: now)
        while hasRoom, let part = input.next() { try accept(part, at: now) }
    }

    /// Writes all lines that were received: those that wait, with the answers so far, and the others unchanged.
    mutating func writeAll() {
        while let line = waiting.popFirst() { write(line) }
        waitingBytes = 0
        input.end()
        while let part = input.next() { output += part.bytes }
    }

    /// The moment at which the first line need not wait any longer; nil if no line waits for the provider.
    var deadline: Int64? { waiting.first.flatMap { deadline(of: $0) } }

    var hasWaitingLines: Bool { !waiting.isEmpty }

    private func deadline(of line: WaitingLine) -> Int64? {
        line.answers.waitForDaemon ? nil : line.start + pauses + settings.wait
    }

    /// Extends the waits of all lines by a time in which no reply could be read.
    mutating func addPause(_ milliseconds: Int64) { pauses += milliseconds }

    private mutating func accept(_ part: RawLines.Part, at now: Int64) throws(LineError) {
        guard part.isWholeLine else {
            hasLongLines = true
            return put(WaitingLine(bytes: Array(part.bytes), start: now - pauses, isPart: true), at: now)
        }
        try part.bytes.withUnsafeBufferPointer { bytes throws(LineError) in
            try editor.scan(bytes, into: &scanned)
        }
        findAnswers(at: now)
        guard waiting.isEmpty, answers.areComplete else {
            let line = WaitingLine(
                bytes: Array(part.bytes), scanned: scanned, answers: answers, start: now - pauses)
            return put(line, at: now)
        }
        part.bytes.withUnsafeBufferPointer { write($0, scanned, answers) }
    }

    private mutating func put(_ line: WaitingLine, at now: Int64) {
        waiting.append(line)
        waitingBytes += line.cost
        // Behind other lines, it always waits.
        if waiting.count == 1 { writeWaiting(at: now) }
    }

    // MARK: Answers

    private mutating func findAnswers(at now: Int64) {
        var answers = LineAnswers()
        swap(&answers, &self.answers)
        answers.replace(with: scanned.found) { answer(about: $0, at: now) }
        swap(&answers, &self.answers)
    }

    private mutating func answer(about address: IPAddress, at now: Int64) -> AddressAnswer {
        let known = cache.answer(about: address)
        if let known, known.phase != .complete || now < known.end {
            watch(known, at: now)
            return known
        }
        let answer = AddressAnswer(address)
        answer.nextWatch = known?.nextWatch ?? now
        cache.insert(answer)
        if isPassingOn || questions.count >= settings.maxQuestions {
            leaveUnasked(answer, at: now)
        } else {
            questions.append(answer)
        }
        watch(answer, at: now)
        return answer
    }

    private mutating func watch(_ answer: AddressAnswer, at now: Int64) {
        guard let pause = settings.watchPause, now >= answer.nextWatch, !isPassingOn else { return }
        answer.nextWatch = now + pause
        // The provider has no records of special-purpose addresses.
        if SpecialPurpose(holding: answer.address) == nil { unwatched.append(answer) }
    }

    private func leaveUnasked(_ answer: AddressAnswer, at now: Int64) {
        answer.isUnasked = true
        answer.complete(until: now + EntryAnswers.minUse)
    }

    /// Returns the next addresses to query from the daemon.
    mutating func takeQuestions(_ maximum: Int) -> [AddressAnswer] { Self.take(maximum, from: &questions) }

    /// Returns addresses to the beginning of the queue, after the loss of a call.
    mutating func askAgain(_ answers: [AddressAnswer], at now: Int64) {
        guard !isPassingOn else { return answers.forEach { leaveUnasked($0, at: now) } }
        questions.prepend(contentsOf: answers)
    }

    /// Returns the next addresses to watch.
    mutating func takeUnwatched(_ maximum: Int) -> [AddressAnswer] { Self.take(maximum, from: &unwatched) }

    /// Returns addresses to the beginning of the queue, after the loss of a call.
    mutating func watchAgain(_ answers: [AddressAnswer], at now: Int64) {
        unwatched.prepend(contentsOf: answers)
        if isPassingOn { dropWatches(at: now) }
    }

    private mutating func dropWatches(at now: Int64) {
        droppedWatches += unwatched.count
        for answer in unwatched { answer.nextWatch = now }
        unwatched = []
    }

    var hasUnwatched: Bool { !unwatched.isEmpty }

    private static func take(_ maximum: Int, from queue: inout Deque<AddressAnswer>) -> [AddressAnswer] {
        let taken = Array(queue.prefix(maximum))
        queue.removeFirst(taken.count)
        return taken
    }

    /// Passes lines on without asking the daemon, until `stopPassingOn`.
    mutating func startPassingOn(at now: Int64) {
        isPassingOn = true
        for answer in questions { leaveUnasked(answer, at: now) }
        questions = []
        dropWatches(at: now)
    }

    mutating func stopPassingOn() { isPassingOn = false }

    // MARK: Output

    /// Returns the bytes to write.
    mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    private mutating func writeWaiting(at now: Int64) {
        while let line = waiting.first, line.answers.areComplete || deadline(of: line) ?? .max <= now {
            waiting.removeFirst()
            waitingBytes -= line.cost
            write(line)
        }
    }

    private mutating func write(_ line: WaitingLine) {
        guard !line.isPart else {
            output += line.bytes
            return
        }
        line.bytes.withUnsafeBufferPointer { write($0, line.scanned, line.answers) }
    }

    private mutating func write(
        _ line: UnsafeBufferPointer<UInt8>, _ scanned: ScannedLine, _ answers: LineAnswers
    ) {
        let lacksReply = answers.lackReply
        if lacksReply { unansweredLines += 1 }
        if settings.selectsLines {
            if case .header = scanned.kind {
                // The header is kept.
            } else {
                // Without the daemon, it is unknown whether a line would be selected, and no line may be lost.
                guard answers.containSelected || lacksReply else { return }
                selectedLines += 1
            }
        }
        editor.write(line, scanned, fields: { answers.fields(of: $0) }, to: &output)
    }
}
