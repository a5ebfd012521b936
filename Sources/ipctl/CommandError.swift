import Control
import Glibc

/// An error that ends a command, with a message and advice for the user.
struct CommandError: Error {
    let status: ExitStatus
    /// The message; empty if nothing is printed.
    let message: String
    /// The advice on the line after the message; empty for none.
    var advice = ""
    /// Whether the time limit of the command has passed.
    var isTimeout = false
    /// Whether the daemon neither replied nor closed the connection.
    var isUnresponsive = false
    /// Whether the daemon closed the connection.
    var isConnectionLost = false
    /// The signal that interrupted the command.
    var signal: Int32?
    /// The error that the daemon returned.
    var controlError: ControlError?

    /// Returns a copy of the error with different advice.
    func advising(_ advice: String) -> CommandError {
        var commandError = self
        commandError.advice = advice
        return commandError
    }
}

extension CommandError {
    /// The error for output that cannot be written.
    init(writeError number: Int32) {
        let reason = String(cString: strerror(number))
        self.init(status: .software, message: "cannot write to standard output: \(reason)")
    }

    /// The error for a reply that does not have the declared form.
    static let unreadableReply = CommandError(
        status: .software, message: "the daemon's reply could not be parsed: its version may be different")

    /// Ends the command silently, because the reader has closed the pipe, as head(1) does.
    static let closedPipe = CommandError(status: .done, message: "")
}
