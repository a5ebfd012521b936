/// JSON values of every type with the extremes of each, which a reader of untrusted JSON must handle anywhere in a
/// document.
package enum ExtremeValues {
    package static let all: [JSONNode] =
        (["null", "true", "false"] + numbers + texts).map { .scalar($0) } + nested

    /// Numbers at and beyond the limits of the types into which they may be decoded.
    package static let numbers: [String] =
        [
            "0", "-0", "0.0", "-0.0", "1", "-1", "1.5", "-1.5", "1.0", "1e0", "1E+2", "1e-2",
            // The limits of 32 bits.
            "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
            // The limits of integers that a double represents exactly.
            "9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740991", "-9007199254740993",
            // The limits of 64 bits, in digits and with an exponent.
            "9223372036854775807", "9223372036854775808", "-9223372036854775807", "-9223372036854775808",
            "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-18446744073709551615",
            "9.223372036854775807e18", "-9.223372036854775808e18", "1e18", "1e19",
            // Numbers of 18, 19, 20 and 40 digits.
            "999999999999999999", "-999999999999999999", "9999999999999999999", "99999999999999999999",
            "-9999999999999999999", "-99999999999999999999", String(repeating: "9", count: 40),
            "-" + String(repeating: "9", count: 40), "0." + String(repeating: "3", count: 40),
            // The limits of doubles.
            "1e308", "-1e308", "1.7976931348623157e308", "1e309", "1e400", "-1e400", "5e-324", "1e-400",
            "1e99999999999999999999", "1" + String(repeating: "0", count: 400),
        ]

    /// Strings in JSON syntax: empty, long, escaped, and such that look like another type.
    package static let texts: [String] = [
        #""""#, #"" ""#, #""\u0000""#, #""\u001b[2J\u009b\r\n\t""#, #""\ud83d\ude00""#, #""\ud83d""#, #""\"\\\/""#,
        #""\u202e\u2066""#, #""é漢😀""#, #""null""#, #""true""#, #""0""#, #""-0""#, #""-9223372036854775808""#,
        #""9223372036854775807""#, #""18446744073709551616""#, #""1e400""#, #""nan""#, #""-inf""#, #""0x7f""#,
        #""10.0.0.1""#, #""::""#, "\"" + String(repeating: "x", count: 300) + "\"",
        "\"" + String(repeating: "\\u0301", count: 300) + "\"", "\"" + String(repeating: "é ", count: 3_000) + "\"",
    ]

    /// Arrays and objects, some with more than the 512 levels that Foundation's decoder accepts.
    private static let nested: [JSONNode] = [
        .array([]), .array([.scalar("null")]), .array([.array([])]), .object([]),
        .array(Array(repeating: .scalar("-9223372036854775808"), count: 300)),
        .array(Array(repeating: .scalar(#""10.0.0.1""#), count: 1_200)),
        .object([.init(name: #""a""#, value: .scalar("1"))]),
        .object([.init(name: #""a""#, value: .scalar("1")), .init(name: #""a""#, value: .scalar("2"))]),
        .object([.init(name: #""""#, value: .object([]))]),
        levels(40), levels(500), levels(600), levels(5_000),
    ]

    /// Returns nested arrays as a scalar, because a recursive type of this depth would overflow the stack.
    private static func levels(_ count: Int) -> JSONNode {
        .scalar(String(repeating: "[", count: count) + String(repeating: "]", count: count))
    }
}

extension JSONNode {
    /// A document that differs from a sample in one node.
    package struct Variant: Sendable, CustomStringConvertible {
        /// The path of the node, and its value.
        package let description: String
        package let text: String
    }

    /// Returns the sample with each of the nodes replaced by each extreme value in turn.
    ///
    /// - Parameter paths: the nodes; nil for all, including the root.
    package func variants(at paths: [Path]? = nil) -> [Variant] {
        (paths ?? self.paths).flatMap { path in
            ExtremeValues.all.map { value in
                var document = self
                document[path] = value
                let spelling = value.text
                let shown = spelling.utf8.count > 60 ? "\(spelling.prefix(60))…" : spelling
                return Variant(description: "\(name(of: path)): \(shown)", text: document.text)
            }
        }
    }
}
