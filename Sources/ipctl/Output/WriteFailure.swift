import Glibc

/// A failed write.
struct WriteFailure: Error {
    let number: Int32
}

extension ArraySlice<UInt8> {
    /// Writes all bytes.
    func write(to descriptor: Int32) throws(WriteFailure) {
        var rest = self
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                throw WriteFailure(number: errno)
            }
        }
    }
}
