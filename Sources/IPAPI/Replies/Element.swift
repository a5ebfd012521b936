import FoundationEssentials
import RecordKeeping

/// One element of a reply: the outcome for one address, and the address that it names.
///
/// Decoding never throws, so that one bad element does not invalidate the others; `outcome` holds the problem.
struct Element: Decodable {
    /// The `query` field.
    enum Echo: Hashable {
        case absent
        case text(String)
        /// Present, but not a string, or longer than `ElementFields.maxTextBytes`.
        case unreadable
    }

    enum Outcome: Hashable {
        case record(Record)
        /// `status` is `fail`; the payload is `message`, or nil if there is no message.
        case fail(String?)
        case malformed(String)
    }

    let isObject: Bool
    let echo: Echo
    let outcome: Outcome

    /// Creates an element with a record of the given address.
    init(about address: String, _ record: Record) {
        (isObject, echo, outcome) = (true, .text(address), .record(record))
    }

    init(from decoder: any Decoder) {
        guard let container = try? decoder.container(keyedBy: FieldName.self) else {
            isObject = false
            echo = .unreadable
            outcome = .malformed("the element is not a JSON object")
            return
        }
        isObject = true
        let fields = ElementFields(container)
        echo = fields.echo
        do {
            outcome = try Self.outcome(of: fields)
        } catch {
            outcome = .malformed(error.description)
        }
    }

    private static func outcome(of fields: ElementFields) throws(FieldProblem) -> Outcome {
        switch try fields.text(.status) {
        case "success": .record(try fields.record())
        case "fail": .fail(try fields.text(.message))
        case nil: throw FieldProblem(.status, "is missing")
        case let other?: throw FieldProblem(.status, "is \"\(other)\"; expected \"success\" or \"fail\"")
        }
    }

    /// The answer for the address to which the element is assigned.
    ///
    /// A `fail` element that names the address is an answer regardless of its message, including `invalid query`. The
    /// address is valid, but the provider has replied about exactly this address, and an earlier retry would spend
    /// quota on the same reply. A `fail` element without `query` may have any cause (a garbled path, the key, the
    /// service), so it is an answer only if its message is about this kind of address.
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
