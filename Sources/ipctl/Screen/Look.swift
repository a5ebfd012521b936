/// How a cell of a canvas looks.
struct Look: Hashable {
    var style: Style?
    var isBold = false
    var isReversed = false

    static let plain = Look()
    static let dim = Look(style: .dim)
    static let bold = Look(isBold: true)
    static let reversed = Look(isReversed: true)
}

extension Terminal {
    func styled(_ text: String, _ look: Look) -> String {
        guard hasColor, look != .plain else { return text }
        let codes = [look.isBold ? "1" : nil, look.style?.rawValue, look.isReversed ? "7" : nil].compactMap { $0 }
        return "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
    }
}
