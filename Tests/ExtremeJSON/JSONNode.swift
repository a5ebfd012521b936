/// A JSON document as a tree. Scalars and names keep their spelling, so it can hold numbers that no Swift type
/// represents.
package indirect enum JSONNode: Hashable, Sendable {
    /// A member of an object. `name` is spelled as in the document, with its quotes.
    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONNode
    }

    /// A string, a number, `true`, `false` or `null`, spelled as in the document.
    case scalar(String)
    case array([JSONNode])
    case object([Member])

    /// The document as text, without blanks between tokens.
    package var text: String {
        switch self {
        case .scalar(let spelling): spelling
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { "\($0.name):\($0.value.text)" }.joined(separator: ",") + "}"
        }
    }

    // MARK: Paths

    /// The path of a node: the index of a child at each level, from the root down.
    package typealias Path = [Int]

    private var children: [JSONNode] {
        switch self {
        case .scalar: []
        case .array(let elements): elements
        case .object(let members): members.map(\.value)
        }
    }

    /// The paths of all nodes, the root first.
    package var paths: [Path] {
        [[]] + children.enumerated().flatMap { index, child in child.paths.map { [index] + $0 } }
    }

    package subscript(path: Path) -> JSONNode {
        get { path.reduce(self) { $0.children[$1] } }
        set {
            guard let index = path.first else {
                self = newValue
                return
            }
            let rest = Array(path.dropFirst())
            switch self {
            case .scalar: preconditionFailure("a scalar has no children")
            case .array(var elements):
                elements[index][rest] = newValue
                self = .array(elements)
            case .object(var members):
                members[index].value[rest] = newValue
                self = .object(members)
            }
        }
    }

    /// Returns a path in readable form, such as `entries[0].failure.at`.
    package func name(of path: Path) -> String {
        guard let index = path.first else { return "" }
        let rest = children[index].name(of: Array(path.dropFirst()))
        switch self {
        case .scalar: return ""
        case .array: return "[\(index)]\(rest)"
        case .object(let members): return ".\(members[index].name.dropFirst().dropLast())\(rest)"
        }
    }
}
