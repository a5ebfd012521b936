/// Access to the bytes of values.
extension JSONScanner {
    /// Returns the offset at which the next value begins.
    package mutating func startOfValue() throws(JSONError) -> Int {
        _ = try kind()
        return position
    }

    /// The offset after the last token.
    package var offset: Int { position }

    /// Calls `body` with the bytes in a range; returns nil if the text ends before the range does.
    @inlinable
    package func withBytes<Result>(in range: Range<Int>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        guard range.upperBound <= bytes.byteCount else { return nil }
        return bytes.extracting(range).withUnsafeBytes { body($0) }
    }

    /// Returns a scanner for the value in a range that was skipped.
    @_lifetime(copy self)
    package func value(in range: Range<Int>) -> JSONScanner { JSONScanner(bytes.extracting(range)) }

    /// Skips a value without reading it.
    ///
    /// - Parameter count: the number of its bytes. The caller must know that these bytes are a complete value, for
    ///   example because equal bytes were read before.
    package mutating func skipKnownValue(ofBytes count: Int) {
        position += count
        isAfterValue = true
    }
}
