import Control
import RecordKeeping
import Testing

@testable import ipctl

/// The fields that lines get from an entry.
@Suite struct EntryAnswersTests {
    private let address = IPAddress(v4: 0xC000_0201)

    private func fields(of entry: Interface.Entry?, _ entries: EntryAnswers) -> String? {
        let answer = AddressAnswer(address)
        entries.set(answer, to: entry, isFinal: true, now: 0, wallNow: Sample.now)
        return answer.fields.map { String(decoding: $0.pieces.joined(), as: UTF8.self) }
    }

    private func entries(_ format: LineFormat, _ names: String...) -> EntryAnswers {
        EntryAnswers(FieldAddition(format, names: names))
    }

    @Test func `a stale record is marked in every format`() throws {
        let stale = try EnrichedStream.entry(.stale)
        #expect(fields(of: stale, entries(.text, "city")) == " [192.0.2.1 city=Berlin state=stale]")
        #expect(fields(of: stale, entries(.json, "city")) == #"{"city":"Berlin","state":"stale"}"#)
        #expect(fields(of: stale, entries(.csv, "city")) == ",Berlin,stale")
        #expect(fields(of: stale, entries(.logfmt, "city")) == ".city=Berlin.state=stale")
        var addition = FieldAddition(.text, names: ["city"])
        addition.template = try LineTemplate("({city})")
        #expect(fields(of: stale, EntryAnswers(addition)) == " (Berlin) (stale)")
    }

    @Test func `a requested state is not added a second time`() throws {
        let stale = try EnrichedStream.entry(.stale)
        #expect(fields(of: stale, entries(.text, "state", "city")) == " [192.0.2.1 state=stale city=Berlin]")
        #expect(fields(of: stale, entries(.csv, "state", "city")) == ",stale,Berlin")
        var addition = FieldAddition(.text, names: ["state"])
        addition.template = try LineTemplate("({state})")
        #expect(fields(of: stale, EntryAnswers(addition)) == " (stale)")
    }

    @Test func `a fresh record has no mark, but a column for the state in CSV`() throws {
        let fresh = try EnrichedStream.entry(.fresh)
        #expect(fields(of: fresh, entries(.text, "city")) == " [192.0.2.1 city=Berlin]")
        #expect(fields(of: fresh, entries(.csv, "city")) == ",Berlin,fresh")
        #expect(entries(.csv, "city").addition.names == ["city", "state"])
    }

    @Test(arguments: [EntryState.loading, .failed])
    func `an entry without a record adds nothing but requested fields of the entry`(state: EntryState) throws {
        let entry = try EnrichedStream.entry(state)
        for format in LineFormat.allCases { #expect(fields(of: entry, entries(format, "city")) == nil) }
        #expect(fields(of: entry, entries(.text, "city", "tags")) == " [192.0.2.1 tags=dns,prod]")
        #expect(fields(of: entry, entries(.text, "state")) == " [192.0.2.1 state=\(state.rawValue)]")
    }

    @Test func `a record of local databases is marked in every format`() throws {
        var entry = try EnrichedStream.entry(.failed)
        entry.offline = Sample.offline
        let databases = "GeoLite2-City, GeoLite2-ASN"
        #expect(
            fields(of: entry, entries(.text, "city"))
                == " [192.0.2.1 city=Ulm state=failed offline=\"\(databases)\"]")
        #expect(
            fields(of: entry, entries(.json, "city"))
                == #"{"city":"Ulm","offline":"\#(databases)","state":"failed"}"#)
        #expect(fields(of: entry, entries(.csv, "city")) == #",Ulm,"failed, offline""#)
        #expect(fields(of: entry, entries(.csv, "city", "offline")) == #",Ulm,"\#(databases)",failed"#)
        #expect(
            fields(of: entry, entries(.logfmt, "city")) == ".city=Ulm.state=failed.offline=\"\(databases)\"")
        for (template, text) in [
            ("({city})", " (Ulm) (failed, offline)"), ("({city}, {state})", " (Ulm, failed) (offline)"),
            ("({city}, {offline})", " (Ulm, \(databases)) (failed)"), ("({tags})", " (dns,prod)"),
        ] {
            var addition = FieldAddition(.text, names: try LineTemplate(template).names)
            addition.template = try LineTemplate(template)
            #expect(fields(of: entry, EntryAnswers(addition)) == text)
        }
    }

    @Test func `fields that local databases do not have, and a record of the provider, get no mark of them`() throws {
        var failed = try EnrichedStream.entry(.failed)
        var stale = try EnrichedStream.entry(.stale)
        (failed.offline, stale.offline) = (Sample.offline, Sample.offline)
        #expect(fields(of: failed, entries(.text, "isp")) == nil)
        #expect(fields(of: failed, entries(.text, "tags")) == " [192.0.2.1 tags=dns,prod]")
        #expect(fields(of: stale, entries(.text, "city")) == " [192.0.2.1 city=Berlin state=stale]")
        #expect(fields(of: stale, entries(.csv, "city")) == ",Berlin,stale")
    }

    @Test func `filters ignore records of local databases`() throws {
        var entry = try EnrichedStream.entry(.failed)
        entry.offline = Sample.offline
        var entries = entries(.text, "city")
        var filter = Interface.Filter()
        filter.countryCodes = ["DE"]
        entries.conditions = try EntryConditions(filter)
        let answer = AddressAnswer(address)
        entries.set(answer, to: entry, isFinal: true, now: 0, wallNow: Sample.now)
        #expect(!answer.isSelected)
        entries.conditions = nil
        entries.requiresFields = true
        entries.set(answer, to: entry, isFinal: true, now: 0, wallNow: Sample.now)
        #expect(answer.isSelected, "--only-known")
    }

    @Test func `an unknown address adds nothing`() {
        #expect(fields(of: nil, entries(.text, "state", "city")) == nil)
    }

    @Test func `a special-purpose address has a reason, and no mark`() throws {
        let entry = try Sample.entry(.empty, watch: nil, reason: "documentation (RFC 5737)")
        #expect(fields(of: entry, entries(.text, "city", "country")) == nil)
        #expect(
            fields(of: entry, entries(.text, "reason")) == " [192.0.2.1 reason=\"documentation (RFC 5737)\"]")
    }

    @Test func `all fields have the types of the interface in JSON`() throws {
        let all = EntryAnswers(FieldAddition(.json, names: FieldValues.names))
        let text = try #require(fields(of: try EnrichedStream.entry(.fresh), all))
        for member in [
            #""age":60"#, #""pinned":true"#, #""tags":["dns","prod"]"#, #""lat":52.5"#, #""offset":3600"#,
            #""asn":64500"#, #""state":"fresh""#, #""note":"ours""#, #""mobile":false"#,
        ] { #expect(text.contains(member), "\(member) in \(text)") }
    }

    @Test func `annotations have colours only on a terminal with colours`() throws {
        var colored = entries(.text, "city")
        colored.terminal = Terminal(hasColor: true, columns: 80)
        #expect(fields(of: try EnrichedStream.entry(.fresh), colored) == " \u{1B}[2m[192.0.2.1 city=Berlin]\u{1B}[0m")
        #expect(
            fields(of: try EnrichedStream.entry(.stale), colored)
                == " \u{1B}[33m[192.0.2.1 city=Berlin state=stale]\u{1B}[0m")
    }
}
