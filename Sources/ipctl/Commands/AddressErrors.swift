/// The errors in the addresses of a command, from its arguments and from files.
struct AddressErrors {
    private var messages: [String] = []
    private var unnamedArguments = 0
    private var unnamedLines = 0
    /// Whether the rest of a file was not read because it had too many invalid lines.
    private var hasUnreadLines = false

    /// The maximum number of errors that are listed.
    private static let maxNamed = 10
    /// The number of invalid lines after which the rest of a file is not read. A file such as a device may have no end.
    static let maxInvalidLines = 1_000

    var isEmpty: Bool { messages.isEmpty }

    /// Adds an invalid argument.
    mutating func add(argument error: CommandError) {
        if !addMessage(of: error) { unnamedArguments += 1 }
    }

    /// Adds an invalid line, or a file that could not be read.
    mutating func add(line error: CommandError) {
        if !addMessage(of: error) { unnamedLines += 1 }
    }

    /// Records that the rest of a file was not read.
    mutating func leaveRest() {
        hasUnreadLines = true
    }

    private mutating func addMessage(of error: CommandError) -> Bool {
        guard messages.count < Self.maxNamed else { return false }
        messages.append(error.message)
        return true
    }

    /// Returns one error with a line for each named error, and the number of the others.
    var combined: CommandError {
        var lines = messages
        if unnamedArguments == 1 { lines.append("1 more argument is not an IP address") }
        if unnamedArguments > 1 {
            lines.append("\(Times.grouped(unnamedArguments)) more arguments are not IP addresses")
        }
        let least = hasUnreadLines ? "at least " : ""
        if unnamedLines == 1 { lines.append("\(least)1 more line is invalid") }
        if unnamedLines > 1 { lines.append("\(least)\(Times.grouped(unnamedLines)) more lines are invalid") }
        return CommandError(status: .badData, message: lines.joined(separator: "\n"))
    }
}
