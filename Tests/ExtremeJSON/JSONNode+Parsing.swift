extension JSONNode {
    /// The error of a sample that is not JSON, with the offset in bytes.
    package struct ParseError: Error {
        let offset: Int
    }

    /// Parses a sample. Only the structure is checked, because samples are part of the tests.
    package init(_ text: String) throws(ParseError) {
        var rest = Array(text.utf8)[...]
        self = try Self.value(&rest)
        guard Self.next(&rest) == nil else { throw ParseError(offset: rest.startIndex) }
    }

    private static func value(_ rest: inout ArraySlice<UInt8>) throws(ParseError) -> JSONNode {
        switch next(&rest) {
        case UInt8(ascii: "{"):
            var members: [Member] = []
            try list(&rest, to: UInt8(ascii: "}")) { (rest) throws(ParseError) in
                let name = try scalar(&rest)
                guard next(&rest) == UInt8(ascii: ":") else { throw ParseError(offset: rest.startIndex) }
                rest.removeFirst()
                members.append(Member(name: name, value: try value(&rest)))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONNode] = []
            try list(&rest, to: UInt8(ascii: "]")) { (rest) throws(ParseError) in
                elements.append(try value(&rest))
            }
            return .array(elements)
        default: return .scalar(try scalar(&rest))
        }
    }

    /// Parses a comma-separated list up to the closing bracket.
    private static func list(
        _ rest: inout ArraySlice<UInt8>, to end: UInt8, _ element: (inout ArraySlice<UInt8>) throws(ParseError) -> Void
    ) throws(ParseError) {
        rest.removeFirst()
        while next(&rest) != end {
            try element(&rest)
            guard let byte = next(&rest), byte == end || byte == UInt8(ascii: ",") else {
                throw ParseError(offset: rest.startIndex)
            }
            if byte != end { rest.removeFirst() }
        }
        rest.removeFirst()
    }

    private static func scalar(_ rest: inout ArraySlice<UInt8>) throws(ParseError) -> String {
        let start = rest
        if next(&rest) == UInt8(ascii: "\"") {
            rest.removeFirst()
            while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
                if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
            }
        } else {
            rest = rest.drop { !Array(",]} \n".utf8).contains($0) }
        }
        guard rest.startIndex > start.startIndex else { throw ParseError(offset: rest.startIndex) }
        return String(decoding: start[..<rest.startIndex].drop { $0 == 0x20 || $0 == 0x0A }, as: UTF8.self)
    }

    /// Skips blanks, and returns the next byte without consuming it.
    private static func next(_ rest: inout ArraySlice<UInt8>) -> UInt8? {
        rest = rest.drop { $0 == 0x20 || $0 == 0x0A }
        return rest.first
    }
}
