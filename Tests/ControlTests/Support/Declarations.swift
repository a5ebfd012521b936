import Varlink

/// The declarations of an interface definition, as far as replies can be checked against them (varlink.org, "Interface
/// Definition").
struct Declarations: Sendable {
    indirect enum Shape: Equatable, Sendable {
        case string, int, float, bool
        case named(String)
        case optional(Shape)
        case list(Shape)
        /// A dictionary with strings as keys.
        case map(Shape)
        case names([String])
        case members([String: Shape])
    }

    private(set) var types: [String: Shape] = [:]
    private(set) var methods: [String: (parameters: Shape, reply: Shape)] = [:]
    private(set) var errors: [String: Shape] = [:]

    init(_ text: String) {
        let code = text.split(separator: "\n").map { $0.prefix { $0 != "#" } }.joined(separator: "\n")
        var words = Words(code.matches(of: /[A-Za-z][A-Za-z0-9.]*|->|\[\]|\[string\]|[(),:?]/).map { String($0.0) })
        precondition(words.take() == "interface")
        words.take()
        while !words.isEmpty {
            switch words.take() {
            case "type": types[words.take()] = words.shape()
            case "error": errors[words.take()] = words.shape()
            case "method":
                let (name, parameters) = (words.take(), words.shape())
                precondition(words.take() == "->")
                methods[name] = (parameters, words.shape())
            case let word: preconditionFailure("expected type, method or error, got \"\(word)\"")
            }
        }
    }

    /// Returns a description of each place where a value does not match its declared shape.
    func faults(of value: Value?, as shape: Shape, at path: String = "") -> [String] {
        switch (shape, value) {
        case (.optional, nil), (.optional, .null): []
        case (.optional(let shape), let value): faults(of: value, as: shape, at: path)
        case (.string, .string), (.int, .int), (.float, .double), (.float, .int), (.bool, .bool): []
        case (.named(let name), let value): faults(of: value, as: types[name] ?? .names([]), at: path)
        case (.names(let names), .string(let name)) where names.contains(name): []
        case (.list(let shape), .array(let values)): values.flatMap { faults(of: $0, as: shape, at: path + "[]") }
        case (.map(let shape), .object(let values)):
            values.flatMap { faults(of: $1, as: shape, at: "\(path).\($0)") }
        case (.members(let members), .object(let values)):
            values.keys.filter { members[$0] == nil }.map { "\(path).\($0) is not declared" }
                + members.flatMap { faults(of: values[$0], as: $1, at: "\(path).\($0)") }
        default: ["\(path) is \(value.map { "\($0)" } ?? "missing"), expected \(shape)"]
        }
    }

    /// Returns the paths of declared members that are missing in a value, and are therefore not checked.
    func unmet(by value: Value?, as shape: Shape, at path: String = "") -> [String] {
        switch (shape, value) {
        case (_, nil), (_, .null): [path]
        case (.optional(let shape), let value): unmet(by: value, as: shape, at: path)
        case (.named(let name), let value): unmet(by: value, as: types[name] ?? .names([]), at: path)
        case (.list(let shape), .array(let values)): unmet(by: values.first, as: shape, at: path + "[]")
        case (.members(let members), .object(let values)):
            members.flatMap { unmet(by: values[$0], as: $1, at: "\(path).\($0)") }
        default: []
        }
    }
}

/// The tokens of an interface definition.
private struct Words {
    private var rest: ArraySlice<String>

    init(_ words: [String]) { rest = words[...] }

    var isEmpty: Bool { rest.isEmpty }

    @discardableResult
    mutating func take() -> String { rest.popFirst() ?? "" }

    mutating func shape() -> Declarations.Shape {
        switch take() {
        case "?": .optional(shape())
        case "[]": .list(shape())
        case "[string]": .map(shape())
        case "string": .string
        case "int": .int
        case "float": .float
        case "bool": .bool
        case "(": list()
        case let name: .named(name)
        }
    }

    /// Parses a list in parentheses: names without types are an enumeration, names with types a structure.
    private mutating func list() -> Declarations.Shape {
        var (names, members): ([String], [String: Declarations.Shape]) = ([], [:])
        while let word = rest.popFirst(), word != ")" {
            if word == "," { continue }
            if rest.first == ":" {
                take()
                members[word] = shape()
            } else {
                names.append(word)
            }
        }
        return names.isEmpty ? .members(members) : .names(names)
    }
}
