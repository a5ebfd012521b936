import Glibc

/// A failed system call, with its purpose.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The purpose as a verb phrase, such as "bind /run/iprecord/control.sock".
    package let purpose: String
    package let errno: Int32
    /// Advice for the user; empty if the remedy is obvious.
    package let advice: String

    package init(_ purpose: String, errno: Int32, advice: String = "") {
        self.purpose = purpose
        self.errno = errno
        self.advice = advice
    }

    package var description: String {
        let reason = String(cString: strerror(errno))
        return "cannot \(purpose): \(reason)" + (advice.isEmpty ? "" : "; \(advice)")
    }
}
