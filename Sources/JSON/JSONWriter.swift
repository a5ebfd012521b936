/// A JSON writer for frequent messages. `JSONEncoder` would take most of the processor time, because it passes each
/// member through several layers and sorts the names each time.
///
///     var writer = JSONWriter()
///     writer.object { $0.member("total", 3) }
///
/// Members appear in the order of the calls. If they are written in the order of their names, the bytes equal those of
/// `JSONEncoder` with sorted keys.
package struct JSONWriter: ~Copyable {
    var memory: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// The number of bytes written.
    package internal(set) var count = 0
    private var needsComma = false

    /// - Parameter capacity: the expected size in bytes; the buffer grows if necessary.
    package init(capacity: Int = 1_024) {
        self.capacity = max(capacity, 64)
        memory = .allocate(capacity: self.capacity)
    }

    deinit {
        memory.deallocate()
    }

    /// A copy of the bytes written so far.
    package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    /// Discards everything after the first `count` bytes. No comma precedes the next value.
    package mutating func truncate(to count: Int) {
        precondition(count <= self.count, "cannot truncate to more bytes than were written")
        self.count = count
        needsComma = false
    }

    /// Calls `body` with the bytes written so far, which are valid only during the call.
    package borrowing func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
        try body(UnsafeBufferPointer(start: memory, count: count))
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
        rawText(text)
        needsComma = true
    }

    package mutating func value(_ number: Int64) {
        separate()
        rawNumber(number)
        needsComma = true
    }

    package mutating func value(_ flag: Bool) {
        separate()
        raw(flag ? "true" : "false")
        needsComma = true
    }

    // MARK: Members

    /// Writes the name of a member; its value must follow.
    ///
    /// - Parameter name: written without escaping.
    package mutating func name(_ name: StaticString) {
        separate()
        put(UInt8(ascii: "\""))
        raw(name)
        put(UInt8(ascii: "\""))
        put(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes the name of a member, with escapes where necessary; its value must follow.
    package mutating func name(escaping name: String) {
        separate()
        rawText(name)
        put(UInt8(ascii: ":"))
        needsComma = false
    }

    // A nil member is omitted.

    package mutating func member(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        self.name(name)
        value(text)
    }

    package mutating func member(_ name: StaticString, _ number: Int64?) {
        guard let number else { return }
        self.name(name)
        value(number)
    }

    package mutating func member(_ name: StaticString, _ flag: Bool) {
        self.name(name)
        value(flag)
    }

    // MARK: Fragments

    /// Writes a fragment of JSON unchanged and without a comma. The caller ensures that the result is valid.
    package mutating func raw(_ piece: StaticString) {
        put(piece.utf8Start, piece.utf8CodeUnitCount)
    }

    package mutating func raw(_ piece: [UInt8]) {
        piece.withUnsafeBufferPointer { raw($0) }
    }

    package mutating func raw(_ piece: UnsafeBufferPointer<UInt8>) {
        if let start = piece.baseAddress { put(start, piece.count) }
    }

    /// Begins an object whose members were written at `start`, each with a comma before it: replaces the first comma
    /// with "{". If there are no members, appends "{".
    package mutating func begin(at start: Int) {
        if start == count { put(0) }
        memory[start] = UInt8(ascii: "{")
    }

    /// Writes a quoted string without a comma before it.
    package mutating func rawText(_ text: String) {
        var text = text
        text.withUTF8 { rawText($0) }
    }

    /// Writes a quoted string without a comma before it.
    ///
    /// - Parameter text: must be valid UTF-8.
    package mutating func rawText(_ text: UnsafeBufferPointer<UInt8>) {
        put(UInt8(ascii: "\""))
        let rest = text[PlainBytes.end(of: text, from: 0)...]
        if rest.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            raw(text)
        } else {
            for code in text { append(escaping: code) }
        }
        put(UInt8(ascii: "\""))
    }

    /// Writes a value in fragments, separated from its neighbours by commas.
    ///
    /// - Parameter put: writes exactly one value.
    package mutating func rawValue(_ put: (inout JSONWriter) -> Void) {
        separate()
        put(&self)
        needsComma = true
    }

    // MARK: Bytes

    @inline(__always)
    /// Ensures that there is space for `more` bytes.
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

    /// Writes a byte with the escapes of RFC 8259, section 7.
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
