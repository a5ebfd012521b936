import ArgumentParser
import Control
import Varlink

/// The command `ipctl examples`.
struct Examples: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "examples", abstract: "Show the examples for all commands, or for the given ones.",
        discussion: """
            The examples come from the help of each command. No daemon is needed.

            Examples:
              ipctl examples
              ipctl examples list count               the examples of two commands
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(
        help: "The commands whose examples are shown (default: all).",
        completion: .list(Examples.names))
    var commands: [String] = []

    private static var commands: [any ParsableCommand.Type] { Ipctl.configuration.subcommands }
    /// The names of all commands.
    static var names: [String] { commands.map { $0._commandName } }

    func validate() throws {
        try Choice.check("command", commands, in: Self.names)
    }

    func run() throws {
        let output = Output(isJSON: options.json, allowsPager: !options.noPager)
        output.isPaged = true
        let chosen = Self.commands.filter { commands.isEmpty || commands.contains($0._commandName) }
        for (index, command) in chosen.enumerated() {
            let examples = Example.all(in: command.configuration.discussion)
            if output.isJSON {
                for example in examples { output.print(example.document(of: command._commandName)) }
            } else {
                if index > 0 { output.print("") }
                output.print(output.terminal.styled(command.configuration.abstract, .bold))
                output.print(examples.map(\.line))
            }
        }
        do throws(CommandError) {
            try output.flush()
            try output.end()
        } catch {
            Output.report(error)
            throw error.status.code
        }
    }
}

/// An example in the help of a command.
struct Example: Equatable {
    let command: String
    /// What the command does; nil if that is obvious.
    let explanation: String?
    /// The line of the help.
    let line: String

    /// Returns the examples below the heading "Example:" or "Examples:", up to the next empty line.
    static func all(in discussion: String) -> [Example] {
        let lines = discussion.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0 != "Example:" && $0 != "Examples:" }.dropFirst().prefix { !$0.isEmpty }.map {
            Example(line: String($0))
        }
    }

    /// - Parameter line: the command, indented, and an explanation after at least three spaces.
    private init(line: String) {
        self.line = line
        let text = line.drop { $0 == " " }
        let gap = text.firstRange(of: "   ")
        command = String(gap.map { text[..<$0.lowerBound] } ?? text)
        explanation = gap.map { text[$0.upperBound...].drop { $0 == " " } }.map { String($0) }
    }

    /// The example as a JSON object.
    ///
    /// - Parameter name: the command whose help contains the example.
    func document(of name: String) -> Value {
        .object([
            "name": .string(name), "command": .string(command),
            "explanation": explanation.map { .string($0) } ?? .null,
        ])
    }
}
