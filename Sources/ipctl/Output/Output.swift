import Control
import Glibc
import Varlink

/// The output of a command.
final class Output {
    let terminal = Terminal.standardOutput
    let isJSON: Bool
    /// Whether output longer than the terminal is shown in a pager.
    var isPaged = false
    private var buffer: [UInt8] = []
    private var pager: Pager?
    private let allowsPager: Bool

    /// - Parameter allowsPager: whether a pager may be started at all.
    init(isJSON: Bool, allowsPager: Bool = true) {
        (self.isJSON, self.allowsPager) = (isJSON, allowsPager)
    }

    func print(_ line: String) {
        buffer += bytes(of: line)
    }

    func print(_ lines: [String]) {
        for line in lines { print(line) }
    }

    /// Prints complete lines.
    func print(bytes: [UInt8]) {
        buffer += bytes
    }

    /// Prints the parameters of a reply as JSON.
    func print(_ parameters: Value) {
        buffer += document(parameters)
    }

    /// Returns a line of text with its line break.
    func bytes(of line: String) -> [UInt8] {
        Array("\(OutputCharacters.current.text(line))\n".utf8)
    }

    /// Returns a line with a JSON object that has its members in this order. Of members with the same name, only the
    /// first is included.
    func document(members: [(name: String, value: Value)]) -> [UInt8] {
        var names: Set<String> = []
        let texts = members.filter { names.insert($0.name).inserted }.map { name, value in
            [Value.string(name), value].map { String(decoding: Wire.encode($0).dropLast(), as: UTF8.self) }
                .joined(separator: ":")
        }
        return line(Array("{\(texts.joined(separator: ","))}".utf8)[...])
    }

    /// Prints a document if the output is JSON, and lines of text otherwise.
    func print(_ document: Value, or lines: @autoclosure () -> [String]) {
        isJSON ? print(document) : print(lines())
    }

    /// Returns the parameters of a reply as a line of JSON. On a terminal, control characters are escaped.
    func document(_ parameters: Value) -> [UInt8] {
        line(Wire.encode(parameters).dropLast())
    }

    private func line(_ json: ArraySlice<UInt8>) -> [UInt8] {
        guard terminal.columns != nil else { return json + [UInt8(ascii: "\n")] }
        return Array(String(decoding: json, as: UTF8.self).escapedJSON.utf8) + [UInt8(ascii: "\n")]
    }

    /// Writes the printed lines. It is not an error if the reader has closed the pipe, as `head` does.
    func flush() throws(CommandError) {
        startPagerIfNeeded()
        defer { buffer = [] }
        do throws(WriteFailure) {
            try buffer[...].write(to: pager?.descriptor ?? STDOUT_FILENO)
        } catch {
            guard error.number != EPIPE else {
                // A pager that could not be started closes the pipe, too.
                try end()
                throw CommandError.closedPipe
            }
            throw CommandError(writeError: error.number)
        }
    }

    /// Waits for the pager to exit. Nothing may be printed afterwards.
    func end() throws(CommandError) {
        guard let pager, !pager.end() else { return }
        throw CommandError(
            status: .usage, message: "the pager could not be started",
            advice: "Set IPCTL_PAGER to another pager, or to cat for none.")
    }

    private func startPagerIfNeeded() {
        guard isPaged, allowsPager, pager == nil, !isJSON, let rows = terminal.rows else { return }
        let lines = buffer.count { $0 == UInt8(ascii: "\n") }
        // One line is left for the shell's prompt.
        guard lines >= rows else { return }
        let choice = PagerChoice.fromEnvironment
        if choice.isRunnable {
            pager = Pager(choice)
        } else {
            isPaged = false
            Self.printMessage("cannot run the pager \"\(choice.command ?? "")\"; the output is not paged")
        }
    }

    /// Prints an error to standard error.
    static func report(_ commandError: CommandError) {
        guard !commandError.message.isEmpty else { return }
        printMessage(
            commandError.advice.isEmpty ? commandError.message : "\(commandError.message)\n\(commandError.advice)")
    }

    /// Prints a message to standard error, so that it is not part of the output.
    static func printMessage(_ text: String) {
        // Names and arguments in the text may be untrusted.
        let bytes = Array(OutputCharacters.current.text("ipctl: \(text.printableLines)\n").utf8)
        // An error is ignored: there is no other place to report it.
        try? bytes[...].write(to: STDERR_FILENO)
    }
}
