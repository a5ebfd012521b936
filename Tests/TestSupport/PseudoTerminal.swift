package import Foundation
import Glibc

/// A pseudo-terminal (pty(7)).
package final class PseudoTerminal {
    package let far: FileHandle
    package let near: Int32
    private let printed: Printed?

    /// - Parameter isRead: whether a thread reads the output; otherwise the test reads it.
    package init?(columns: UInt16, rows: UInt16 = 24, isRead: Bool = true) {
        // The library functions need _XOPEN_SOURCE; these calls are equivalent (ioctl_tty(2)).
        let (numberOfTerminal, unlock) = (UInt(0x8004_5430), UInt(0x4004_5431))
        near = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, isLocked) = (Int32(0), Int32(0))
        guard near >= 0, ioctl(near, unlock, &isLocked) == 0, ioctl(near, numberOfTerminal, &number) == 0 else {
            return nil
        }
        let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var size = winsize()
        (size.ws_col, size.ws_row) = (columns, rows)
        guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { return nil }
        far = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        printed = isRead ? Printed(at: near) : nil
    }

    deinit {
        // Otherwise the reader closes it.
        if printed == nil { close(near) }
    }

    /// The output, complete once the other end is closed.
    package func lines() throws -> [String] {
        try far.close()
        return String(decoding: printed?.all() ?? [], as: UTF8.self).split(separator: "\r\n").map(String.init)
    }
}

/// Reads the output of a terminal on a separate thread, because the buffer of a terminal has only some kilobytes.
private final class Printed: @unchecked Sendable {
    // Both are accessed only while `condition` is locked.
    private var bytes: [UInt8] = []
    private var hasEnded = false
    private let condition = NSCondition()

    init(at near: Int32) {
        Thread.detachNewThread { [self] in
            var chunk = [UInt8](repeating: 0, count: 4_096)
            while true {
                // EIO means that the other end of the pseudo-terminal is closed.
                let count = read(near, &chunk, chunk.count)
                guard count > 0 else { break }
                condition.withLock { bytes += chunk[..<count] }
            }
            close(near)
            condition.withLock {
                hasEnded = true
                condition.broadcast()
            }
        }
    }

    /// Waits for the end of the output, and returns it.
    func all() -> [UInt8] {
        condition.withLock {
            while !hasEnded { condition.wait() }
            return bytes
        }
    }
}
