import JSON
import RecordKeeping

/// One element of a reply: the outcome for one address, and the address that it names.
///
/// One bad element does not invalidate the others; its `outcome` holds the problem.
struct Element {
    /// The `query` field.
    enum Echo: Hashable {
        case absent
        case text(String)
        /// Present, but not a string, or longer than `UntrustedText.maxFieldBytes`.
        case unreadable
    }

    enum Outcome: Hashable {
        case record(Record)
        /// `status` is `fail`; the payload is `message`, or nil if there is no message.
        case fail(String?)
        case malformed(String)
    }

    let isObject: Bool
    /// The digest of the element's bytes; nil if the element is too long.
    let digest: ElementDigest?
    let echo: Echo
    let outcome: Outcome

    /// Reads an element.
    ///
    /// - Parameters:
    ///   - fields: memory for the fields, which successive elements share.
    ///   - recent: the cache of places and networks.
    /// - Throws: if the text is not JSON. Other problems are in `outcome`.
    init(
        _ scanner: inout JSONScanner, _ fields: inout ElementFields, _ recent: inout RecentValues
    ) throws(JSONError) {
        let start = try scanner.startOfValue()
        if try scanner.kind() == .object {
            isObject = try fields.read(&scanner)
        } else {
            try scanner.skip()
            isObject = false
        }
        digest = scanner.withBytes(in: start..<scanner.offset) { ElementDigest(of: $0) } ?? nil
        guard isObject else {
            echo = .unreadable
            outcome = .malformed("the element is not a JSON object")
            return
        }
        echo = fields.echo(in: scanner)
        do {
            outcome = try Self.outcome(of: fields, in: scanner, &recent)
        } catch {
            outcome = .malformed(error.description)
        }
    }

    private static func outcome(
        of fields: ElementFields, in scanner: JSONScanner, _ recent: inout RecentValues
    ) throws(FieldProblem) -> Outcome {
        switch try fields.text(.status, in: scanner) {
        case "success": .record(try fields.record(in: scanner, &recent))
        case "fail": .fail(try fields.text(.message, in: scanner))
        case nil: throw FieldProblem(.status, "is missing")
        case let other?: throw FieldProblem(.status, "is \"\(other)\"; expected \"success\" or \"fail\"")
        }
    }

    /// The answer for the address to which the element is assigned.
    ///
    /// A `fail` element that names the address is an answer regardless of its message, including `invalid query`. The
    /// address is valid, but the provider has replied about exactly this address, and an earlier retry would spend
    /// quota on the same reply. A `fail` element without `query` may have any cause (a garbled path, the key, the
    /// service), so it is an answer only if its message depends on the address alone.
    var answer: ElementAnswer {
        switch (outcome, echo) {
        case (.record(let record), .absent), (.record(let record), .text): .answered(.record(record))
        case (.fail(let message), .text): .answered(.empty(reason: message ?? "no reason given"))
        case (.fail(let message?), .absent) where Self.addressSpecificReasons.contains(message):
            .answered(.empty(reason: message))
        case (.fail(let message), .absent):
            .malformed("query is missing, and the provider reports a failure: \(message ?? "no reason given")")
        case (.malformed(let problem), .absent), (.malformed(let problem), .text): .malformed(problem)
        case (_, .unreadable): .malformed(isObject ? "query is not a string" : "the element is not a JSON object")
        }
    }

    /// The documented messages that depend only on the address (docs/api:json, "message").
    private static let addressSpecificReasons: Set = ["private range", "reserved range"]
}
