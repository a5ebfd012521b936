import FoundationEssentials
import RecordKeeping

/// One element of a reply: what is said of one address, and which address it says it is about.
///
/// Decoding never throws, so that one bad element does not take the others with it; what is wrong is in `outcome`.
struct Element: Decodable {
    /// The `query` field.
    enum Echo: Hashable {
        case absent
        case text(String)
        /// There, and no text.
        case unreadable
    }

    enum Outcome: Hashable {
        case record(Record)
        /// `status` is `fail`; with `message`, where there is one.
        case fail(String?)
        case malformed(String)
    }

    let isObject: Bool
    let echo: Echo
    let outcome: Outcome

    /// What is said of the address that is named.
    init(about address: String, _ record: Record) {
        (isObject, echo, outcome) = (true, .text(address), .record(record))
    }

    init(from decoder: any Decoder) {
        guard let container = try? decoder.container(keyedBy: FieldName.self) else {
            isObject = false
            echo = .unreadable
            outcome = .malformed("the element is no JSON object")
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
        case let other?: throw FieldProblem(.status, "is \"\(other)\", neither success nor fail")
        }
    }

    /// What the element says of the address it is taken to be about.
    ///
    /// A `fail` that names the address is an answer whatever its message, `invalid query` too. We know that the address
    /// is valid, but the provider has spoken about this very one, and asking again sooner would spend quota on the same
    /// words. A `fail` without `query` may be about anything (a garbled path, the key, the service), so it counts only
    /// with a message that is about addresses of this kind.
    var answer: ElementAnswer {
        switch (outcome, echo) {
        case (.record(let record), .absent), (.record(let record), .text): .answered(.record(record))
        case (.fail(let message), .text): .answered(.empty(reason: message ?? "no reason given"))
        case (.fail(let message?), .absent) where Self.reasonsOfAddresses.contains(message):
            .answered(.empty(reason: message))
        case (.fail(let message), .absent):
            .malformed("query is missing, and the provider says: fail, \(message ?? "no reason given")")
        case (.malformed(let problem), .absent), (.malformed(let problem), .text): .malformed(problem)
        case (_, .unreadable): .malformed(isObject ? "query is no text" : "the element is no JSON object")
        }
    }

    /// The documented messages that follow from the address (docs/api:json, "message").
    private static let reasonsOfAddresses: Set = ["private range", "reserved range"]
}
