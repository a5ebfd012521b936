/// Derives documents with extreme values from a sample. All choices come from given bytes: the same bytes produce the
/// same document, and a fuzzer that changes the bytes changes the document.
package struct DocumentMutator {
    private var choices: ArraySlice<UInt8>

    /// - Parameter choices: the bytes to choose by. When they run out, the first option is chosen each time.
    package init(choices: some Sequence<UInt8>) {
        self.choices = Array(choices)[...]
    }

    /// Bytes per changed node: its index (two), the operation, and the value.
    package static let bytesPerChange = 4
    private static let maxChanges = 5

    /// Returns a number from 0 to `count` - 1; it consumes one byte, or two if `count` exceeds 256.
    package mutating func choose(below count: Int) -> Int {
        guard count > 1, let byte = choices.popFirst() else { return 0 }
        guard count > 256 else { return Int(byte) % count }
        return (Int(byte) << 8 | Int(choices.popFirst() ?? 0)) % count
    }

    /// Returns the sample with one to five nodes changed.
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

    /// Returns an object with one member twice, the second with another value, an escaped name or an unknown name; or
    /// an array with copies of one element.
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

    /// Returns the name with its first letter escaped as `\u00XX`.
    private static func escaped(_ name: String) -> String {
        let inner = name.dropFirst().dropLast()
        guard let first = inner.unicodeScalars.first, first.isASCII, first != "\\" else { return name }
        let digits = String(first.value, radix: 16)
        return "\"\\u00" + (digits.count < 2 ? "0" : "") + digits + inner.dropFirst() + "\""
    }
}
