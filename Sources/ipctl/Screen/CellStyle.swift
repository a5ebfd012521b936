/// The style of a canvas cell.
struct CellStyle: Hashable {
    var style: TextStyle?
    var isBold = false
    var isReversed = false

    static let plain = CellStyle()
    static let dim = CellStyle(style: .dim)
    static let bold = CellStyle(isBold: true)
    static let reversed = CellStyle(isReversed: true)
}

extension Terminal {
    func styled(_ text: String, _ cellStyle: CellStyle) -> String {
        guard hasColor, cellStyle != .plain else { return text }
        let codes = [cellStyle.isBold ? "1" : nil, cellStyle.style?.rawValue, cellStyle.isReversed ? "7" : nil]
            .compactMap { $0 }
        return "\u{1B}[\(codes.joined(separator: ";"))m\(text)\u{1B}[0m"
    }
}
