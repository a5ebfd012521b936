/// A text with field names in braces: `{country} (AS{asn})`. Two equal braces stand for one.
struct LineTemplate: Hashable {
    /// The reason why a template is invalid, as a clause in lower case.
    struct ParseError: Error, Hashable, CustomStringConvertible {
        let description: String
    }

    private enum Part: Hashable {
        case text(String)
        case field(String)
    }

    private let parts: [Part]

    /// The names of the fields, each once.
    let names: [String]

    init(_ text: String) throws(ParseError) {
        var (parts, names, literal) = ([Part](), [String](), "")
        var rest = text[...]
        while let character = rest.popFirst() {
            if character == "{" || character == "}", rest.first == character {
                literal.append(rest.removeFirst())
            } else if character == "{" {
                guard let end = rest.firstIndex(where: { $0 == "{" || $0 == "}" }), rest[end] == "}" else {
                    throw ParseError(description: "a \"{\" has no \"}\"; write \"{{\" for a brace")
                }
                let name = String(rest[..<end])
                guard !name.isEmpty else {
                    throw ParseError(description: "expected a field name between \"{\" and \"}\"")
                }
                parts += [.text(literal), .field(name)]
                if !names.contains(name) { names.append(name) }
                (literal, rest) = ("", rest[rest.index(after: end)...])
            } else if character == "}" {
                throw ParseError(description: "a \"}\" has no \"{\"; write \"}}\" for a brace")
            } else {
                literal.append(character)
            }
        }
        guard !names.isEmpty else { throw ParseError(description: "expected at least one field, such as {country}") }
        (self.parts, self.names) = (parts + [.text(literal)], names)
    }

    /// Returns the text with the values of the fields; a hyphen stands for an unknown value, as in access logs.
    func text(_ value: (String) -> String?) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .field(let name): value(name) ?? "-"
            }
        }.joined()
    }
}
