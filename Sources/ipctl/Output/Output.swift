import Glibc
import Varlink

/// Where a command prints to.
final class Output {
    let terminal = Terminal.standardOutput
    let isJSON: Bool
    private var buffer: [UInt8] = []

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    func print(_ line: String) {
        buffer += line.utf8
        buffer.append(UInt8(ascii: "\n"))
    }

    func print(_ lines: [String]) {
        for line in lines { print(line) }
    }

    /// A reply's parameters as they are on the wire.
    func print(_ parameters: Value) {
        buffer += Wire.encode(parameters).dropLast()
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Writes what was printed. Who listens and has gone, as `head` does, is no reason to complain.
    func flush() throws(Complaint) {
        var written = 0
        while written < buffer.count {
            let count = buffer[written...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if errno == EPIPE {
                buffer = []
                throw Complaint(status: .done, message: "")
            } else if errno != EINTR {
                let reason = String(cString: strerror(errno))
                buffer = []
                throw Complaint(status: .software, message: "cannot write to standard output: \(reason)")
            }
        }
        buffer = []
    }

    /// Tells what went wrong, on standard error.
    static func complain(_ complaint: Complaint) {
        guard !complaint.message.isEmpty else { return }
        var text = "ipctl: \(complaint.message)\n"
        if !complaint.advice.isEmpty { text += complaint.advice + "\n" }
        let bytes = Array(text.utf8)
        // Where standard error is closed there is nobody to tell.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
