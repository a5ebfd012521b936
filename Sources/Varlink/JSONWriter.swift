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

    package init() {
        bytes.reserveCapacity(1_024)
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
        let text = number.description
        // A whole number has no fraction.
        bytes += text.hasSuffix(".0") ? text.utf8.dropLast(2) : text.utf8[...]
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
        bytes += number.description.utf8
    }

    private mutating func append(quoting text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { codes in
            if codes.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
                bytes += codes
            } else {
                for code in codes { append(escaping: code) }
            }
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
