/// The arguments of a command line, separated from those of `--exec`.
///
/// All arguments after `--exec` belong to the command that it runs. The parser would handle some of them itself: `-h`,
/// `--help` and `--version` anywhere on the line.
struct ExecArguments: Hashable {
    /// The arguments for the parser: up to `--exec`, then the name of the program.
    let own: [String]
    /// The program and its arguments; empty without `--exec`.
    let command: [String]

    private static let option = "--exec"

    /// - Throws: if no command follows `--exec`.
    init(_ arguments: [String]) throws(CommandError) {
        guard let index = arguments.firstIndex(where: { $0 == Self.option || $0.hasPrefix(Self.option + "=") }),
            !arguments[..<index].contains("--"), CommandName.first(in: Array(arguments[..<index])) == "monitor"
        else {
            (own, command) = (arguments, [])
            return
        }
        var command = Array(arguments[(index + 1)...])
        // As in other programs, -- may separate the command from the options.
        if command.first == "--" { command.removeFirst() }
        if let attached = arguments[index].firstIndex(of: "=") {
            command.insert(String(arguments[index][arguments[index].index(after: attached)...]), at: 0)
        }
        guard let program = command.first, !program.isEmpty else {
            throw CommandError(
                status: .usage, message: "--exec requires a command, such as: --exec logger -t ipctl",
                advice: "See: ipctl help monitor")
        }
        // The parser gets the name only to know that the option has a value. A name with a dash could be an option.
        own = arguments[..<index] + [Self.option, program.hasPrefix("-") ? "./\(program)" : program]
        self.command = command
    }
}
