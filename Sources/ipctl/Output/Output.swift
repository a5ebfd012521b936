import Glibc
import Varlink

/// Where a command prints to.
final class Output {
    let terminal = Terminal.standardOutput
    let isJSON: Bool
    /// What is longer than the terminal goes through a pager.
    var isPaged = false
    private var buffer: [UInt8] = []
    private var pager: Pager?

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

    /// Whole lines.
    func print(bytes: [UInt8]) {
        buffer += bytes
    }

    /// A reply's parameters as they are on the wire.
    func print(_ parameters: Value) {
        buffer += Wire.encode(parameters).dropLast()
        buffer.append(UInt8(ascii: "\n"))
    }

    /// Writes what was printed. Who listens and has gone, as `head` does, is no reason to complain.
    func flush() throws(Complaint) {
        startPagerIfNeeded()
        defer { buffer = [] }
        do throws(WriteFailure) {
            try buffer[...].write(to: pager?.descriptor ?? STDOUT_FILENO)
        } catch {
            guard error.number != EPIPE else {
                // A pager that was never there has closed the pipe, too.
                try end()
                throw Complaint(status: .done, message: "")
            }
            throw Complaint(status: .software, message: "cannot write to standard output: \(error.reason)")
        }
    }

    /// Waits for the pager, where there is one; nothing is printed afterwards.
    func end() throws(Complaint) {
        guard let pager, !pager.end() else { return }
        throw Complaint(
            status: .usage, message: "the pager cannot be run",
            advice: "Say another in IPCTL_PAGER, or none with IPCTL_PAGER=cat.")
    }

    private func startPagerIfNeeded() {
        guard isPaged, pager == nil, !isJSON, let rows = terminal.rows else { return }
        let lines = buffer.count { $0 == UInt8(ascii: "\n") }
        // The shell's prompt comes below.
        if lines >= rows { pager = Pager(PagerChoice.ofEnvironment) }
    }

    /// Tells what went wrong, on standard error.
    static func complain(_ complaint: Complaint) {
        guard !complaint.message.isEmpty else { return }
        remark(complaint.advice.isEmpty ? complaint.message : "\(complaint.message)\n\(complaint.advice)")
    }

    /// Tells on standard error what a person has to know and a program that reads the output has not.
    static func remark(_ text: String) {
        let text = "ipctl: \(text)\n"
        let bytes = Array(text.utf8)
        // Where standard error is closed there is nobody to tell.
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
