/// Makes documents of a sample's shape with extreme values in them. All choices come from given bytes: the same bytes make the
/// same document, and a fuzzer that changes the bytes changes the document.
package struct DocumentMutator {
    private var choices: ArraySlice<UInt8>

    /// - Parameter choices: bytes to choose by. When they run out, the first of all possibilities is chosen.
    package init(choices: some Sequence<UInt8>) {
        self.choices = Array(choices)[...]
    }

    /// Bytes of choices per changed place: the place (two), the operation, and the value.
    package static let bytesPerChange = 4
    private static let maxChanges = 5

    /// A number from 0 to below `count`.
    package mutating func choose(below count: Int) -> Int {
        guard count > 1, let byte = choices.popFirst() else { return 0 }
        guard count > 256 else { return Int(byte) % count }
        return (Int(byte) << 8 | Int(choices.popFirst() ?? 0)) % count
    }

    /// The sample with one to five places changed.
    package mutating func document(like sample: JSONNode) -> JSONNode {
        var document = sample
        for _ in 0...choose(below: Self.maxChanges) { change(&document) }
        return document
    }

    private mutating func change(_ document: inout JSONNode) {
        let paths = document.paths
        let path = paths[choose(below: paths.count)]
        switch choose(below: 8) {
        case 0, 1, 2, 3: document[path] = ExtremeValues.all[choose(below: ExtremeValues.all.count)]
        case 4: document[path] = document[paths[choose(below: paths.count)]]
        case 5: document[path] = .array([document[path]])
        case 6: document[path] = removingOne(from: document[path])
        default: document[path] = doublingOne(in: document[path])
        }
    }

    private mutating func removingOne(from node: JSONNode) -> JSONNode {
        switch node {
        case .array(var elements) where !elements.isEmpty:
            elements.remove(at: choose(below: elements.count))
            return .array(elements)
        case .object(var members) where !members.isEmpty:
            members.remove(at: choose(below: members.count))
            return .object(members)
        case .array, .object, .scalar: return .scalar("null")
        }
    }

    /// An object gets a member twice, the second with another value or an escaped name; an array gets an element twice.
    private mutating func doublingOne(in node: JSONNode) -> JSONNode {
        switch node {
        case .array(var elements) where !elements.isEmpty:
            let copy = elements[choose(below: elements.count)]
            elements.append(contentsOf: Array(repeating: copy, count: 1 + choose(below: 3)))
            return .array(elements)
        case .object(var members) where !members.isEmpty:
            var copy = members[choose(below: members.count)]
            switch choose(below: 3) {
            case 0: copy.value = ExtremeValues.all[choose(below: ExtremeValues.all.count)]
            case 1: copy.name = Self.escaped(copy.name)
            default: copy.name = #""unknown""#
            }
            members.insert(copy, at: choose(below: members.count + 1))
            return .object(members)
        case .array, .object, .scalar: return .array([node, node])
        }
    }

    /// The same name with its first letter as an escape.
    private static func escaped(_ name: String) -> String {
        let inner = name.dropFirst().dropLast()
        guard let first = inner.unicodeScalars.first, first.isASCII, first != "\\" else { return name }
        let digits = String(first.value, radix: 16)
        return "\"\\u00" + (digits.count < 2 ? "0" : "") + digits + inner.dropFirst() + "\""
    }
}
