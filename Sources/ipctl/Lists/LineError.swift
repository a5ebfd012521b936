import Control

/// An error in a line of a file.
struct LineError: Error, Hashable {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    /// The error for the user, with the file and the line.
    func commandError(line: Int, of name: String) -> CommandError {
        CommandError(status: .badData, message: "line \(Times.grouped(line)) of \(name): \(message)")
    }

    /// Quotes a part of a line, shortened and made printable.
    static func quoted(_ text: some StringProtocol) -> String {
        "\"\(String(text).printable.cut(to: 60))\""
    }
}
