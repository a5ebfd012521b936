import Control
import RecordKeeping
import Testing

@testable import ipctl

/// The order, the waits and the bounds of lines that are enriched.
@Suite struct EnrichedLinesTests {
    private static let known = "192.0.2.1 [192.0.2.1 country=Germany]\n"

    @Test func `a line waits for the reply, and later lines with its address do not`() throws {
        let stream = EnrichedStream(fields: "country")
        #expect(try stream.receive("192.0.2.1\n") == "")
        #expect(try stream.reply(EnrichedStream.entry(.fresh)) == Self.known)
        #expect(try stream.receive("192.0.2.1\nno address\n192.0.2.1\n") == Self.known + "no address\n" + Self.known)
        #expect(stream.takeQuestions().isEmpty)
    }

    @Test func `lines keep their order while one of them waits`() throws {
        let stream = EnrichedStream(fields: "country")
        #expect(try stream.receive("first\n192.0.2.1\nlast\n") == "first\n")
        #expect(try stream.receive("later\n") == "")
        #expect(try stream.reply(EnrichedStream.entry(.fresh)) == Self.known + "last\nlater\n")
    }

    @Test func `an address in several lines is asked about once`() throws {
        let stream = EnrichedStream(fields: "country")
        _ = try stream.receive("192.0.2.1 203.0.113.1\n192.0.2.1\n::ffff:192.0.2.1\n")
        #expect(stream.takeQuestions().map { "\($0.address)" } == ["192.0.2.1", "203.0.113.1"])
        #expect(stream.takeQuestions().isEmpty)
    }

    @Test func `a line waits for the daemon until lines are passed on`() throws {
        let stream = Self.lookups(wait: 0)
        _ = try stream.receive("192.0.2.1\n")
        #expect(stream.rest == nil)
        #expect(try stream.pass(60_000) == "")
        #expect(try stream.startPassingOn() == "192.0.2.1\n")
        #expect(stream.unansweredLines == 1)
    }

    @Test func `an answer is used until the record expires, for ten seconds at most`() throws {
        let stream = EnrichedStream(fields: "country")
        _ = try stream.receive("192.0.2.1\n")
        var soonOver = try EnrichedStream.entry(.fresh)
        soonOver.expiresAt = Sample.now + 3_000
        _ = try stream.reply(soonOver)
        stream.now += 2_999
        #expect(try stream.receive("192.0.2.1\n") == Self.known)
        stream.now += 1
        #expect(try stream.receive("192.0.2.1\n") == "")
        #expect(try stream.reply(EnrichedStream.entry(.fresh)) == Self.known)
        stream.now += 9_999
        #expect(try stream.receive("192.0.2.1\n") == Self.known)
        stream.now += 1
        #expect(try stream.receive("192.0.2.1\n") == "")
    }

    @Test(arguments: [EntryState.stale, .failed, .loading])
    func `an address without a fresh record is asked about again after a second`(state: EntryState) throws {
        let stream = EnrichedStream(fields: "country")
        _ = try stream.receive("192.0.2.1\n")
        _ = try stream.reply(EnrichedStream.entry(state))
        stream.now += 999
        _ = try stream.receive("192.0.2.1\n")
        #expect(stream.takeQuestions().isEmpty)
        stream.now += 1
        _ = try stream.receive("192.0.2.1\n")
        #expect(stream.takeQuestions().count == 1)
    }

    @Test func `a final line without a line break, and all bytes that are not text, are kept`() throws {
        let stream = EnrichedStream(fields: "country")
        let text = "\u{FEFF}\r\n\0\0\t192.0.2.9\r\n192.0.2.1"
        #expect(try stream.receive(text) == "\u{FEFF}\r\n")
        _ = try stream.end()
        #expect(
            try stream.reply(EnrichedStream.entry(.fresh))
                == "\0\0\t192.0.2.9\r\n192.0.2.1 [192.0.2.1 country=Germany]")
    }

    @Test func `a line above the length limit passes in parts, unchanged`() throws {
        let stream = EnrichedStream(fields: "country")
        let long = String(repeating: "192.0.2.1 ", count: 1 << 18)
        var output = ""
        for _ in 0..<2 { output += try stream.receive(long) }
        output += try stream.receive("\nshort\n")
        #expect(output == long + long + "\nshort\n")
        #expect(stream.hasLongLines && stream.takeQuestions().isEmpty)
    }

    @Test func `lines are read only while few lines wait`() throws {
        let stream = EnrichedStream(
            EntryAnswers(FieldAddition(.text, names: ["country"])), EnrichedLines.Settings(maxLines: 3))
        let text = (1...9).map { "\($0) 192.0.2.1\n" }.joined()
        #expect(try stream.receive(text) == "")
        #expect(!stream.hasRoom)
        let output = try stream.reply(EnrichedStream.entry(.fresh))
        #expect(output == (1...9).map { "\($0) \(Self.known)" }.joined())
        #expect(stream.hasRoom)
    }

    @Test func `a line with many addresses gets the fields of each`() throws {
        let stream = EnrichedStream(fields: "country")
        let addresses = (0..<500).map { "192.0.\($0 / 250).\($0 % 250)" }
        _ = try stream.receive(addresses.joined(separator: " ") + "\n")
        let questions = stream.takeQuestions()
        #expect(questions.count == 500)
        for answer in questions {
            stream.entries.set(
                answer, to: try EnrichedStream.entry(.fresh, "\(answer.address)"), isFinal: true, now: stream.now,
                wallNow: Sample.now)
        }
        let notes = addresses.map { " [\($0) country=Germany]" }.joined()
        #expect(try stream.pass(0) == addresses.joined(separator: " ") + notes + "\n")
    }

    @Test func `only addresses in the requested columns of CSV are asked about`() throws {
        let entries = EntryAnswers(FieldAddition(.csv, names: ["country"]))
        var lines = EnrichedLines(LineEditor(entries.addition, columns: ["b"]), .init())
        lines.receive("a,b,c\n192.0.2.1,\"192.0.2.2, x\",192.0.2.3\n192.0.2.4\n".utf8)
        try lines.advance(at: 0)
        #expect(lines.takeQuestions(9).map { "\($0.address)" } == ["192.0.2.2"])
    }

    // MARK: Lookups

    private static func lookups(wait: Int64) -> EnrichedStream {
        var entries = EntryAnswers(FieldAddition(.text, names: ["country"]))
        entries.looksUp = true
        return EnrichedStream(entries, EnrichedLines.Settings(wait: wait))
    }

    @Test func `a line waits for the provider, and then gets the new record`() throws {
        let stream = Self.lookups(wait: 2_000)
        _ = try stream.receive("192.0.2.1\nlast\n")
        let questions = stream.takeQuestions()
        #expect(try stream.reply(to: questions) == "")
        #expect(stream.rest == 2_000)
        #expect(try stream.reply(to: questions, EnrichedStream.entry(.fresh), isFinal: true) == Self.known + "last\n")
    }

    @Test func `after the wait, a line gets the old record, marked as stale`() throws {
        let stream = Self.lookups(wait: 2_000)
        _ = try stream.receive("192.0.2.1\n")
        #expect(try stream.reply(EnrichedStream.entry(.stale)) == "")
        #expect(try stream.pass(2_000) == "192.0.2.1 [192.0.2.1 country=Germany state=stale]\n")
        #expect(stream.unansweredLines == 0)
    }

    @Test func `the wait is longer by the time in which the output was blocked`() throws {
        let stream = Self.lookups(wait: 2_000)
        _ = try stream.receive("192.0.2.1\n")
        _ = try stream.reply()
        stream.addPause(5_000)
        #expect(try stream.pass(6_999) == "")
        #expect(try stream.pass(1) == "192.0.2.1\n")
        _ = try stream.receive("192.0.2.2\n")
        _ = try stream.reply()
        #expect(stream.rest == 2_000)
    }

    @Test func `a wait of zero adds what is known without waiting for the provider`() throws {
        let stream = Self.lookups(wait: 0)
        #expect(try stream.receive("192.0.2.1 203.0.113.1\n") == "", "the daemon replies at once")
        #expect(
            try stream.reply(EnrichedStream.entry(.fresh)) == "192.0.2.1 203.0.113.1 [192.0.2.1 country=Germany]\n")
    }

    // MARK: Selected lines

    private static func selecting(onlyKnown: Bool = false, _ filter: Interface.Filter?) throws -> EnrichedStream {
        var entries = EntryAnswers(FieldAddition(.text, names: ["country"]))
        entries.requiresFields = onlyKnown
        entries.conditions = try filter.map { try EntryConditions($0) }
        return EnrichedStream(entries, EnrichedLines.Settings(selectsLines: true))
    }

    @Test func `filters keep the lines with an address that matches`() throws {
        var filter = Interface.Filter()
        filter.countryCodes = ["FR"]
        let stream = try Self.selecting(filter)
        _ = try stream.receive("192.0.2.1\nnone\n203.0.113.1 192.0.2.1\n192.0.2.9\n")
        var french = try EnrichedStream.entry(.fresh, "203.0.113.1")
        french.record?.countryCode = "FR"
        #expect(
            try stream.reply(EnrichedStream.entry(.fresh), french)
                == "203.0.113.1 192.0.2.1 [203.0.113.1 country=Germany] [192.0.2.1 country=Germany]\n")
    }

    @Test func `an unknown address matches filters that exclude, also while it is looked up`() throws {
        var filter = Interface.Filter()
        filter.notCountryCodes = ["DE"]
        let stream = try Self.selecting(filter)
        _ = try stream.receive("192.0.2.1\nnone\n203.0.113.1\n")
        #expect(try stream.reply(EnrichedStream.entry(.fresh)) == "203.0.113.1\n")

        var entries = EntryAnswers(FieldAddition(.text, names: ["country"]))
        (entries.looksUp, entries.conditions) = (true, try EntryConditions(filter))
        let waiting = EnrichedStream(entries, EnrichedLines.Settings(selectsLines: true, wait: 2_000))
        _ = try waiting.receive("203.0.113.1\n")
        #expect(try waiting.reply() == "")
        #expect(try waiting.pass(2_000) == "203.0.113.1\n")
    }

    @Test func `only lines with known fields are kept if requested`() throws {
        let stream = try Self.selecting(onlyKnown: true, nil)
        _ = try stream.receive("192.0.2.1\nnone\n203.0.113.1\n192.0.2.9\n")
        #expect(
            try stream.reply(EnrichedStream.entry(.fresh), EnrichedStream.entry(.failed, "192.0.2.9")) == Self.known)
    }

    // MARK: The daemon is away

    @Test func `while lines are passed on, they do not wait, and known addresses are enriched`() throws {
        let stream = EnrichedStream(fields: "country")
        _ = try stream.receive("192.0.2.1\n")
        _ = try stream.reply(EnrichedStream.entry(.fresh))
        _ = try stream.receive("203.0.113.1\n")
        #expect(try stream.startPassingOn() == "203.0.113.1\n")
        #expect(try stream.receive("203.0.113.2\n192.0.2.1\n") == "203.0.113.2\n" + Self.known)
        #expect(stream.unansweredLines == 2)
        #expect(stream.takeQuestions().isEmpty)
        stream.stopPassingOn()
        stream.now += 1_000
        #expect(try stream.receive("203.0.113.2\n") == "")
        #expect(stream.takeQuestions().count == 1)
    }

    @Test func `no line is left out because the daemon is away`() throws {
        let stream = try Self.selecting(onlyKnown: true, nil)
        _ = try stream.receive("none\n203.0.113.1\n")
        #expect(try stream.startPassingOn() == "203.0.113.1\n")
    }

    @Test func `the addresses of a lost call are asked about again, before others`() throws {
        let stream = EnrichedStream(fields: "country")
        _ = try stream.receive("192.0.2.1\n203.0.113.1\n")
        let lost = stream.takeQuestions(1)
        stream.askAgain(lost)
        #expect(try stream.reply(EnrichedStream.entry(.fresh)) == Self.known + "203.0.113.1\n")
    }

    @Test func `all received lines are written if the program ends early`() throws {
        let stream = EnrichedStream(
            EntryAnswers(FieldAddition(.text, names: ["country"])), EnrichedLines.Settings(maxLines: 1))
        _ = try stream.receive("192.0.2.1\nb\nc")
        #expect(stream.writeAll() == "192.0.2.1\nb\nc")
    }

    // MARK: Watches

    @Test func `addresses are watched once per pause, and not if they have a special purpose`() throws {
        let stream = EnrichedStream(
            EntryAnswers(FieldAddition(.text, names: ["country"])), EnrichedLines.Settings(watchPause: 60_000))
        _ = try stream.receive("8.8.8.8 10.0.0.1 192.0.2.1\n8.8.8.8\n")
        #expect(stream.takeUnwatched() == ["8.8.8.8"])
        stream.now += 59_999
        _ = try stream.receive("8.8.8.8\n")
        #expect(stream.takeUnwatched() == [])
        stream.now += 1
        _ = try stream.receive("8.8.8.8\n")
        #expect(stream.takeUnwatched() == ["8.8.8.8"])
    }

    @Test func `addresses that cannot be watched while the daemon is away are counted`() throws {
        let stream = EnrichedStream(
            EntryAnswers(FieldAddition(.text, names: ["country"])), EnrichedLines.Settings(watchPause: 60_000))
        _ = try stream.receive("8.8.8.8\n")
        _ = try stream.startPassingOn()
        #expect(stream.droppedWatches == 1 && stream.takeUnwatched() == [])
        stream.stopPassingOn()
        _ = try stream.receive("8.8.8.8\n")
        #expect(stream.takeUnwatched() == ["8.8.8.8"])
    }
}
