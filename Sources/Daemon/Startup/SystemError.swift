import Glibc

/// A system call that failed, with what it was for.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was to be done, as "bind /run/iprecord/control.sock".
    package let purpose: String
    package let errno: Int32
    /// What the person can do about it; empty where that is plain.
    package let advice: String

    package init(_ purpose: String, errno: Int32, advice: String = "") {
        self.purpose = purpose
        self.errno = errno
        self.advice = advice
    }

    package var description: String {
        let reason = String(cString: strerror(errno))
        return advice.isEmpty ? "\(purpose): \(reason)" : "\(purpose): \(reason); \(advice)"
    }
}
