/// Puts JSON down as bytes, the same ones as `Wire.encode` makes of the same: for what is told so often that an encoder, which
/// looks at each member through several layers and sorts the names each time, would be most of the work.
///
///     var writer = JSONWriter()
///     writer.object { $0.member("total", 3) }
///
/// Members are put down in the order of their names, by whoever writes.
package struct JSONWriter: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// - Parameter capacity: about how many bytes there will be.
    package init(capacity: Int = 1_024) {
        bytes.reserveCapacity(capacity)
    }

    /// What is put down is a whole message, which ends with a NUL (varlink.org, "Wire format").
    consuming func message() -> [UInt8] {
        bytes.append(0)
        return bytes
    }

    // MARK: Values

    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        enclose(UInt8(ascii: "{"), UInt8(ascii: "}"), members)
    }

    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        enclose(UInt8(ascii: "["), UInt8(ascii: "]"), elements)
    }

    package mutating func value(_ text: String) {
        separate()
        append(quoting: text)
        needsComma = true
    }

    package mutating func value(_ number: Int64) {
        separate()
        append(number)
        needsComma = true
    }

    /// - Parameter number: finite.
    package mutating func value(_ number: Double) {
        separate()
        append(number)
        needsComma = true
    }

    package mutating func value(_ flag: Bool) {
        separate()
        bytes += (flag ? "true" : "false").utf8
        needsComma = true
    }

    // MARK: Members

    /// - Parameter name: plain, without anything that has to be escaped.
    package mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        bytes += UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    package mutating func member(_ name: StaticString, _ text: String) {
        self.name(name)
        value(text)
    }

    package mutating func member(_ name: StaticString, _ number: Int64) {
        self.name(name)
        value(number)
    }

    package mutating func member(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        value(flag)
    }

    // What is nil is left out.

    package mutating func member(_ name: StaticString, _ text: String?) {
        if let text { member(name, text) }
    }

    package mutating func member(_ name: StaticString, _ number: Int64?) {
        if let number { member(name, number) }
    }

    package mutating func member(_ name: StaticString, _ number: Double?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    package mutating func member(_ name: StaticString, _ flag: Bool?) {
        if let flag { member(name, flag) }
    }

    // MARK: Pieces

    /// Puts down a piece of JSON as it is, and what follows it has to know what it is.
    package mutating func raw(_ piece: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: piece.utf8Start, count: piece.utf8CodeUnitCount))
    }

    package mutating func raw(_ piece: String) {
        bytes.append(contentsOf: piece.utf8)
    }

    /// Members were put down from here on, each with a comma before it: an object begins in place of the first comma.
    package mutating func begin(at start: Int) {
        if start == bytes.count { bytes.append(0) }
        bytes[start] = UInt8(ascii: "{")
    }

    package mutating func raw(_ piece: [UInt8]) {
        bytes.append(contentsOf: piece)
    }

    package mutating func raw(_ piece: UnsafeBufferPointer<UInt8>) {
        bytes.append(contentsOf: piece)
    }

    package mutating func rawText(_ text: String) { append(quoting: text) }

    /// - Parameter text: UTF-8.
    package mutating func rawText(_ text: UnsafeBufferPointer<UInt8>) { append(quoting: text) }

    package mutating func rawNumber(_ number: Int64) { append(number) }

    /// - Parameter number: finite.
    package mutating func rawNumber(_ number: Double) { append(number) }

    /// What was put down as a whole by pieces is a value.
    package mutating func rawValue(_ put: (inout JSONWriter) -> Void) {
        separate()
        put(&self)
        needsComma = true
    }

    // MARK: Bytes

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    private mutating func enclose(_ start: UInt8, _ end: UInt8, _ content: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(start)
        needsComma = false
        content(&self)
        bytes.append(end)
        needsComma = true
    }

    private mutating func append(_ number: Int64) {
        guard number >= 0 else {
            bytes.append(UInt8(ascii: "-"))
            return append(number.magnitude)
        }
        append(number.magnitude)
    }

    private mutating func append(_ number: UInt64) {
        // The largest has twenty digits.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var (rest, start) = (number, 20)
            repeat {
                start -= 1
                digits.initializeElement(at: start, to: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
        }
    }

    private mutating func append(_ number: Double) {
        var text = number.description
        text.withUTF8 { digits in
            // A whole number has no fraction.
            let isWhole =
                digits.count > 2 && digits[digits.count - 2] == UInt8(ascii: ".") && digits.last == UInt8(ascii: "0")
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[..<(digits.count - (isWhole ? 2 : 0))]))
        }
    }

    private mutating func append(quoting text: String) {
        var text = text
        text.withUTF8 { append(quoting: $0) }
    }

    private mutating func append(quoting text: UnsafeBufferPointer<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        if text.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            bytes.append(contentsOf: text)
        } else {
            for code in text { append(escaping: code) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// As RFC 8259, section 7, has it.
    private mutating func append(escaping code: UInt8) {
        switch code {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            bytes.append(UInt8(ascii: "\\"))
            bytes.append(code)
        case 0x08: bytes += "\\b".utf8
        case 0x0C: bytes += "\\f".utf8
        case 0x0A: bytes += "\\n".utf8
        case 0x0D: bytes += "\\r".utf8
        case 0x09: bytes += "\\t".utf8
        case 0..<0x20:
            bytes += "\\u00".utf8
            bytes += [code >> 4, code & 0xF].map { $0 < 10 ? UInt8(ascii: "0") + $0 : UInt8(ascii: "a") + $0 - 10 }
        default: bytes.append(code)
        }
    }
}
