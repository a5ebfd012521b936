/// Parses the input of a terminal into keys and actions of the mouse (ECMA-48, xterm's control sequences).
struct KeyReader {
    private var bytes: [UInt8] = []

    /// The maximum length of a control sequence; a report of the mouse has at most 17 bytes.
    private static let maxSequenceBytes = 20
    private static let escape: UInt8 = 0x1B

    /// Whether the input ends within an escape sequence, or with the Escape key, which is the beginning of a sequence.
    ///
    /// If nothing follows soon, the caller calls ``pendingKeys()``.
    var isPending: Bool { bytes.first == Self.escape }

    /// - Parameter chunk: the bytes of one read. The rest of an incomplete sequence is expected in the next read.
    mutating func keys(in chunk: some Sequence<UInt8>) -> [KeyPress] {
        bytes += chunk
        var keys: [KeyPress] = []
        while let first = bytes.first {
            switch first {
            case Self.escape:
                guard let length = sequenceBytes else { return keys }
                if let key = Self.key(of: bytes[..<length]) { keys.append(key) }
                bytes.removeFirst(length)
            case ..<0x20, 0x7F:
                bytes.removeFirst()
                if let key = Self.controls[first] { keys.append(key) }
            default:
                let length = Self.characterBytes(after: first)
                // The remaining bytes of the character have not arrived yet.
                guard bytes.count >= length else { return keys }
                let text = String(validating: bytes[..<length], as: UTF8.self)
                bytes.removeFirst(text == nil ? 1 : length)
                if let character = text?.first { keys.append(.character(character)) }
            }
        }
        return keys
    }

    /// Ends the wait for the rest of a sequence. An escape without more bytes is the Escape key; other incomplete
    /// sequences have no function.
    mutating func pendingKeys() -> [KeyPress] {
        guard isPending else { return [] }
        defer { bytes = [] }
        return bytes.count == 1 ? [.escape] : []
    }

    /// The length of a UTF-8 character with this first byte; 1 for an invalid first byte.
    private static func characterBytes(after first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }

    private static let controls: [UInt8: KeyPress] = [
        0x0A: .enter, 0x0D: .enter, 0x08: .backspace, 0x7F: .backspace, 0x0C: .redraw, 0x02: .pageUp, 0x06: .pageDown,
    ]

    private static let sequences: [String: KeyPress] = [
        "A": .up, "B": .down, "H": .home, "F": .end, "1~": .home, "7~": .home, "4~": .end, "8~": .end,
        "5~": .pageUp, "6~": .pageDown,
    ]

    /// The length of the escape sequence at the beginning of the input; nil if the rest has not arrived yet.
    private var sequenceBytes: Int? {
        guard bytes.count > 1 else { return nil }
        // The second of two escapes begins a sequence of its own.
        if bytes[1] == Self.escape { return 1 }
        // A key pressed together with Alt has no function.
        guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else { return 2 }
        // The sequence ends with the first byte from @ to ~.
        let limit = bytes.prefix(Self.maxSequenceBytes)
        if let end = limit.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }) { return end + 1 }
        return limit.count < Self.maxSequenceBytes ? nil : bytes.count
    }

    /// Returns the key of a complete sequence; nil if the sequence is unknown.
    private static func key(of sequence: ArraySlice<UInt8>) -> KeyPress? {
        guard sequence.count > 1 else { return .escape }
        let text = String(decoding: sequence.dropFirst(2), as: UTF8.self)
        return sequences[text] ?? mouseAction(text)
    }

    /// - Parameter report: a report of xterm's mouse mode 1006: "<", the button, the column and the row, counted from
    ///   1, and M for a press or m for a release.
    private static func mouseAction(_ report: String) -> KeyPress? {
        guard report.first == "<", report.last == "M" else { return nil }
        let numbers = report.dropFirst().dropLast().split(separator: ";").map { Int($0) }
        guard numbers.count == 3, let button = numbers[0], let column = numbers[1], let row = numbers[2] else {
            return nil
        }
        switch button & ~modifiers {
        case 64: return .wheelUp
        case 65: return .wheelDown
        case 0 where button == 0 && column > 0 && row > 0: return .click(column: column - 1, row: row - 1)
        default: return nil
        }
    }

    /// The bits of Shift, Alt and Control in the number of a button.
    private static let modifiers = 4 + 8 + 16
}
