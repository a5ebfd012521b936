import JSON
package import RecordKeeping

/// Reads `Show` calls, the most frequent kind of call, without creating strings.
package struct ShowScanner {
    /// The addresses of the last call; unspecified if `read` has returned false.
    package private(set) var addresses: [IPAddress] = []
    /// The `wait` of the last call, in milliseconds.
    private var wait: Int64?

    package init() {}

    /// The last call as a request; unspecified if `read` has returned false.
    package var request: Request.Body { .show(addresses, wait: Show.wait(milliseconds: wait)) }

    /// Reads a `Show` call.
    ///
    /// - Parameter maximum: the maximum number of addresses.
    /// - Returns: whether the message is a `Show` call of IPv4 addresses. `Request.Body` handles every other message,
    ///   including invalid ones.
    package mutating func read(_ message: UnsafeBufferPointer<UInt8>, maximum: Int) -> Bool {
        addresses.removeAll(keepingCapacity: true)
        wait = nil
        var scanner = JSONScanner(Span(_unsafeElements: message).bytes)
        do throws(JSONError) {
            return try read(&scanner, maximum: maximum)
        } catch {
            // The error is reported when the message is decoded as a request.
            return false
        }
    }

    private mutating func read(_ scanner: inout JSONScanner, maximum: Int) throws(JSONError) -> Bool {
        var (hasMethod, hasParameters) = (false, false)
        try scanner.beginObject()
        while let name = try scanner.nextName() {
            if !hasMethod, scanner.text(name, is: "method") {
                let method = try scanner.string()
                hasMethod = scanner.text(method, is: "io.iprecord.Control.Show")
                guard hasMethod else { return false }
            } else {
                guard !hasParameters, scanner.text(name, is: "parameters") else { return false }
                hasParameters = try readParameters(&scanner, maximum: maximum)
                guard hasParameters else { return false }
            }
        }
        try scanner.end()
        return hasMethod && !addresses.isEmpty
    }

    private mutating func readParameters(_ scanner: inout JSONScanner, maximum: Int) throws(JSONError) -> Bool {
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
                guard wait == nil, scanner.text(name, is: "wait") else { return false }
                guard let milliseconds = try scanner.number().int64, milliseconds >= 0 else { return false }
                wait = milliseconds
            }
        }
        return true
    }
}
