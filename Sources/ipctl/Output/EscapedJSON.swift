import Control

extension String {
    /// This JSON text with an escape for each character in a string that is not `printable` (RFC 8259, section 7). Line
    /// feeds are kept: they are never part of a string, but separate documents.
    var escapedJSON: String {
        guard unicodeScalars.contains(where: \.isUnprintable) else { return self }
        return unicodeScalars.map { scalar in
            guard scalar.isUnprintable, scalar != "\n" else { return String(scalar) }
            return String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        }.joined()
    }
}
