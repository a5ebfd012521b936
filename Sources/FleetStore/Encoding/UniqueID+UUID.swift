import Fleet

extension UniqueID {
    /// The id in PostgreSQL's notation of the type uuid.
    var uuid: String {
        let digits = Self.hexadecimal(high) + Self.hexadecimal(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return text
    }

    /// - Returns: nil if the text is not 32 hexadecimal digits, with or without hyphens.
    init?(uuid: some StringProtocol) {
        let digits = String(uuid.filter { $0 != "-" })
        guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
            let low = UInt64(digits.suffix(16), radix: 16), !digits.contains("+")
        else { return nil }
        self.init(high: high, low: low)
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
