import PlainJSON

/// Puts JSON down as bytes, the same ones as `Wire.encode` makes of the same: for what is told so often that an encoder, which
/// looks at each member through several layers and sorts the names each time, would be most of the work.
///
///     var writer = JSONWriter()
///     writer.object { $0.member("total", 3) }
///
/// Members are put down in the order in which whoever writes puts them down: their names', where the bytes are to be the same.
package struct JSONWriter: ~Copyable {
    var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// How many bytes there are.
    package internal(set) var count = 0
    private var needsComma = false

    /// - Parameter capacity: about how many bytes there will be.
    package init(capacity: Int = 1_024) {
        self.capacity = max(capacity, 64)
        memory = .allocate(capacity: self.capacity)
    }

    deinit {
        memory.deallocate()
    }

    /// What was put down so far.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    /// Takes back what was put down after the first so many bytes.
    package mutating func truncate(to count: Int) {
        precondition(count <= self.count, "only what is there is taken back")
        self.count = count
        needsComma = false
    }

    /// Hands out what was put down so far.
    package borrowing func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try body(UnsafeBufferPointer(start: memory, count: count))
    }

    /// What is put down is a whole message, which ends with a NUL (varlink.org, "Wire format").
    consuming func message() -> [UInt8] {
        put(0)
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

    package mutating func value(_ flag: Bool) {
        separate()
        raw(flag ? "true" : "false")
        needsComma = true
    }

    // MARK: Members

    /// - Parameter name: plain, without anything that has to be escaped.
    package mutating func name(_ name: StaticString) {
        separate()
        put(UInt8(ascii: "\""))
        raw(name)
        put(UInt8(ascii: "\""))
        put(UInt8(ascii: ":"))
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

    // MARK: Pieces

    /// Puts down a piece of JSON as it is, and what follows it has to know what it is.
    package mutating func raw(_ piece: StaticString) {
        put(piece.utf8Start, piece.utf8CodeUnitCount)
    }

    package mutating func raw(_ piece: [UInt8]) {
        piece.withUnsafeBufferPointer { raw($0) }
    }

    package mutating func raw(_ piece: UnsafeBufferPointer<UInt8>) {
        if let start = piece.baseAddress { put(start, piece.count) }
    }

    /// Members were put down from here on, each with a comma before it: an object begins in place of the first comma.
    package mutating func begin(at start: Int) {
        if start == count { put(0) }
        memory[start] = UInt8(ascii: "{")
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

    @inline(__always)
    mutating func reserve(_ more: Int) {
        if count + more > capacity { grow(by: more) }
    }

    @inline(never)
    private mutating func grow(by more: Int) {
        capacity = max(capacity * 2, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.moveInitialize(from: memory, count: count)
        memory.deallocate()
        memory = larger
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    @inline(__always)
    private mutating func put(_ start: UnsafePointer<UInt8>, _ length: Int) {
        reserve(length)
        (memory + count).update(from: start, count: length)
        count += length
    }

    private mutating func separate() {
        if needsComma { put(UInt8(ascii: ",")) }
    }

    private mutating func enclose(_ start: UInt8, _ end: UInt8, _ content: (inout JSONWriter) -> Void) {
        separate()
        put(start)
        needsComma = false
        content(&self)
        put(end)
        needsComma = true
    }

    private mutating func append(quoting text: String) {
        var text = text
        text.withUTF8 { append(quoting: $0) }
    }

    private mutating func append(quoting text: UnsafeBufferPointer<UInt8>) {
        put(UInt8(ascii: "\""))
        let rest = text[PlainBytes.end(of: text, from: 0)...]
        if rest.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            raw(text)
        } else {
            for code in text { append(escaping: code) }
        }
        put(UInt8(ascii: "\""))
    }

    /// As RFC 8259, section 7, has it.
    private mutating func append(escaping code: UInt8) {
        switch code {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"):
            put(UInt8(ascii: "\\"))
            put(code)
        case 0x08: raw("\\b")
        case 0x0C: raw("\\f")
        case 0x0A: raw("\\n")
        case 0x0D: raw("\\r")
        case 0x09: raw("\\t")
        case 0..<0x20:
            raw("\\u00")
            for half in [code >> 4, code & 0xF] {
                put(half < 10 ? UInt8(ascii: "0") + half : UInt8(ascii: "a") + half - 10)
            }
        default: put(code)
        }
    }
}
