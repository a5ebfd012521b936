import JSON
package import RecordKeeping

/// Reads `Show` calls in plain JSON, the most frequent kind of call, without creating strings.
package enum PlainShow {
    /// Reads the addresses of a `Show` call. Its `wait` is validated and ignored.
    ///
    /// - Parameters:
    ///   - maximum: the maximum number of addresses.
    ///   - addresses: replaced with the addresses of the call; unspecified if the result is false.
    /// - Returns: whether the message is a `Show` call in plain JSON. `Request.Body` handles every other message,
    ///   including invalid ones.
    package static func read(
        _ message: UnsafeBufferPointer<UInt8>, maximum: Int, into addresses: inout [IPAddress]
    ) -> Bool {
        addresses.removeAll(keepingCapacity: true)
        var reader = PlainReader(bytes: message)
        var (hasMethod, hasParameters) = (false, false)
        let isPlain = reader.object { name, reader in
            if name.reads("method"), !hasMethod {
                hasMethod = reader.plainText()?.reads("io.iprecord.Control.Show") ?? false
                return hasMethod
            }
            guard name.reads("parameters"), !hasParameters else { return false }
            hasParameters = readParameters(&reader, maximum: maximum, into: &addresses)
            return hasParameters
        }
        return isPlain && reader.isAtEnd && hasMethod && !addresses.isEmpty
    }

    private static func readParameters(
        _ reader: inout PlainReader, maximum: Int, into addresses: inout [IPAddress]
    ) -> Bool {
        var (hasAddresses, hasWait) = (false, false)
        return reader.object { name, reader in
            if name.reads("addresses"), !hasAddresses {
                hasAddresses = reader.array { reader in
                    guard addresses.count < maximum, let text = reader.plainText(),
                        let address = IPAddress(plain: text.bytes)
                    else { return false }
                    addresses.append(address)
                    return true
                }
                return hasAddresses
            }
            guard name.reads("wait"), !hasWait, let wait = reader.number() else { return false }
            hasWait = true
            return wait >= 0
        }
    }
}
