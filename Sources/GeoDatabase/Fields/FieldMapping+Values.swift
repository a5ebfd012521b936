import RecordKeeping

extension FieldMapping.Target {
    /// Returns a database's value as the record contains it; nil if it has another type, is out of range or is blank.
    func value(of found: FoundValue) -> Record.Value? {
        switch (self, found) {
        case (.countryCode, .string(let text)): Self.code(text).flatMap { $0 == Self.noCountry ? nil : .text($0) }
        case (.continentCode, .string(let text)): Self.code(text).map { .text($0) }
        case (.latitude, .double(let degrees)): Self.degrees(degrees, limit: 90)
        case (.longitude, .double(let degrees)): Self.degrees(degrees, limit: 180)
        case (.asNumber, .unsigned(let number)): Self.asNumber(number)
        case (.asNumber, .string(let text)): Self.asNumber(text)
        case (.proxy, .boolean(let flag)), (.hosting, .boolean(let flag)): .flag(flag)
        case (.latitude, _), (.longitude, _), (.asNumber, _), (.proxy, _), (.hosting, _): nil
        case (_, .string(let text)): UntrustedText(text).field.map { .text($0) }
        default: nil
        }
    }

    /// DB-IP's code for addresses without a location, which is not a country (https://db-ip.com/faq.php).
    private static let noCountry = "ZZ"

    /// Returns a code of two capital letters, as of ISO 3166-1 alpha-2.
    private static func code(_ text: String) -> String? {
        text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            ? text : nil
    }

    private static func degrees(_ degrees: Double, limit: Double) -> Record.Value? {
        guard degrees.magnitude <= limit else { return nil }
        // Minus zero becomes zero, so that the sign does not count as a change.
        return .degrees(degrees == 0 ? 0 : degrees)
    }

    /// Returns the number of an autonomous system: 32 bits (RFC 6793), of which 0 is reserved (RFC 7607).
    private static func asNumber(_ number: UInt64) -> Record.Value? {
        (1...UInt64(UInt32.max)).contains(number) ? .number(Int(number)) : nil
    }

    /// Returns the number in "AS15169".
    private static func asNumber(_ text: String) -> Record.Value? {
        let digits = text.dropFirst(2)
        guard text.hasPrefix("AS"), digits.utf8.count <= 10, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return UInt64(digits).flatMap { asNumber($0) }
    }
}
