/// Parses the input of a terminal into keys (ECMA-48, xterm's control sequences).
struct KeyReader {
    private var bytes: [UInt8] = []

    /// The maximum length of a control sequence.
    private static let maxSequenceBytes = 16

    /// - Parameter chunk: the bytes of one read. A sequence normally arrives in one read; an escape at the end is the
    ///   Escape key.
    mutating func keys(in chunk: some Sequence<UInt8>) -> [KeyPress] {
        bytes += chunk
        var keys: [KeyPress] = []
        while let first = bytes.first {
            switch first {
            case 0x1B:
                if let key = escaped() { keys.append(key) }
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
        0x0A: .enter, 0x0D: .enter, 0x08: .backspace, 0x7F: .backspace, 0x0C: .redraw,
    ]

    private static let sequences: [String: KeyPress] = [
        "A": .up, "B": .down, "H": .home, "1~": .home, "7~": .home, "5~": .pageUp, "6~": .pageDown,
    ]

    /// Removes an escape sequence, and returns its key; nil if the sequence is unknown.
    private mutating func escaped() -> KeyPress? {
        guard bytes.count > 1 else {
            bytes = []
            return .escape
        }
        guard bytes[1] == UInt8(ascii: "[") || bytes[1] == UInt8(ascii: "O") else {
            // A key pressed together with Alt has no function.
            bytes.removeFirst(2)
            return nil
        }
        // The sequence ends with the first byte from @ to ~.
        guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7E).contains($0) }),
            end < Self.maxSequenceBytes
        else {
            bytes = []
            return nil
        }
        let sequence = String(decoding: bytes[2...end], as: UTF8.self)
        bytes.removeFirst(end + 1)
        return Self.sequences[sequence]
    }
}
