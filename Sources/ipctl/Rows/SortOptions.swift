import ArgumentParser
import RecordKeeping
import Varlink

/// Options that sort entries or rows by a field.
struct SortOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Sort by this field; entries without a value come last.", valueName: "field"),
        completion: .sortableFields)
    var sort: String?

    @Flag(name: .shortAndLong, help: "Sort in descending order; requires --sort.")
    var reverse = false

    /// - Parameters:
    ///   - names: the fields by which the command can sort.
    ///   - isJSON: whether the command prints the daemon's replies, which are not sorted.
    /// - Throws: a `ValidationError` that lists the fields, or that names a conflict with another option.
    func check(names: [String], isJSON: Bool = false) throws {
        try Choice.check("field to sort by", [sort].compactMap { $0 }, in: names)
        guard !reverse || sort != nil else {
            throw ValidationError("--reverse requires --sort, such as: --sort \(names[0]) --reverse")
        }
        guard !isJSON || sort == nil else {
            throw ValidationError("give --json or --sort, not both; --format jsonl prints one object per line")
        }
    }

    /// Returns elements sorted by the field; without `--sort`, in their order, which elements with the same value keep.
    ///
    /// - Parameter value: returns the value of a field; nil if it is unknown.
    func sorted<Element>(_ elements: [Element], by value: (Element, _ name: String) -> Value?) -> [Element] {
        guard let sort else { return elements }
        let keys = elements.map { SortValue(of: sort, value($0, sort)) }
        let order = elements.indices.sorted { a, b in
            keys[a] == keys[b] ? a < b : keys[a].precedes(keys[b], isDescending: reverse)
        }
        return order.map { elements[$0] }
    }
}

extension SortValue {
    /// The value of a field on the wire. Addresses have the order of the watch list.
    fileprivate init(of name: String, _ value: Value?) {
        switch value {
        case nil, .null: self = .missing
        case .bool(let flag): self = .number(flag ? 1 : 0)
        case .int(let number): self = .number(Double(number))
        case .double(let number): self = .number(number)
        case .string(let text) where name == "address": self = .text(Self.ordered(text))
        case .string(let text): self = .text(text)
        case .some(let value):
            let text = value.fieldText
            self = text.isEmpty ? .missing : .text(text)
        }
    }

    /// Returns the digits of an address, whose order is that of the addresses.
    private static func ordered(_ text: String) -> String {
        // The daemon sends only addresses. If it sends anything else, that is sorted as text.
        guard let address = try? IPAddress(text) else { return text }
        return [address.high, address.low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
