import JSON
package import RecordKeeping

/// Reads `Show` calls, the most frequent kind of call, without creating strings.
package enum ShowScanner {
    /// Reads the addresses of a `Show` call. The call's `wait` is validated but otherwise ignored.
    ///
    /// - Parameters:
    ///   - maximum: the maximum number of addresses.
    ///   - addresses: replaced with the addresses of the call; unspecified if the result is false.
    /// - Returns: whether the message is a `Show` call of IPv4 addresses. `Request.Body` handles every other message,
    ///   including invalid ones.
    package static func read(
        _ message: UnsafeBufferPointer<UInt8>, maximum: Int, into addresses: inout [IPAddress]
    ) -> Bool {
        addresses.removeAll(keepingCapacity: true)
        var scanner = JSONScanner(Span(_unsafeElements: message).bytes)
        do throws(JSONError) {
            return try read(&scanner, maximum: maximum, into: &addresses)
        } catch {
            // The error is reported when the message is decoded as a request.
            return false
        }
    }

    private static func read(
        _ scanner: inout JSONScanner, maximum: Int, into addresses: inout [IPAddress]
    ) throws(JSONError) -> Bool {
        var (hasMethod, hasParameters) = (false, false)
        try scanner.beginObject()
        while let name = try scanner.nextName() {
            if !hasMethod, scanner.text(name, is: "method") {
                let method = try scanner.string()
                hasMethod = scanner.text(method, is: "io.iprecord.Control.Show")
                guard hasMethod else { return false }
            } else {
                guard !hasParameters, scanner.text(name, is: "parameters") else { return false }
                hasParameters = try readParameters(&scanner, maximum: maximum, into: &addresses)
                guard hasParameters else { return false }
            }
        }
        try scanner.end()
        return hasMethod && !addresses.isEmpty
    }

    private static func readParameters(
        _ scanner: inout JSONScanner, maximum: Int, into addresses: inout [IPAddress]
    ) throws(JSONError) -> Bool {
        var hasWait = false
        try scanner.beginObject()
        while let name = try scanner.nextName() {
            if addresses.isEmpty, scanner.text(name, is: "addresses") {
                try scanner.beginArray()
                while try scanner.nextElement() {
                    let text = try scanner.string()
                    guard addresses.count < maximum, let address = scanner.withBytes(of: text, IPAddress.init(plain:))
                    else { return false }
                    addresses.append(address)
                }
            } else {
                guard !hasWait, scanner.text(name, is: "wait") else { return false }
                hasWait = true
                guard let wait = try scanner.number().int64, wait >= 0 else { return false }
            }
        }
        return true
    }
}
