extension [UInt8] {
    var hex: String {
        let digits = [Character]("0123456789abcdef")
        return reduce(into: "") { text, byte in
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
    }
}
