import ArgumentParser
import Control

/// Parses a command line, runs the command, and ends the program.
struct Invocation {
    /// The arguments, without the program's name.
    let arguments: [String]

    func run() -> Never {
        do {
            var command = try parsed()
            try command.run()
            Ipctl.exit()
        } catch {
            end(with: error)
        }
    }

    /// Parses the command and its arguments.
    func parsed() throws -> any ParsableCommand {
        let split = try ExecArguments(arguments)
        let folded = FoldedArguments(split.own)
        let command: any ParsableCommand
        do {
            command = try Ipctl.parseAsRoot(folded.arguments)
        } catch {
            // The parser's message about an unknown command is not helpful.
            try CommandName.check(split.own)
            throw error
        }
        // For an unknown command, `help` would show the general help.
        try CommandName.check(split.own)
        try RepeatedOption.check(folded.arguments, of: command)
        // A cast to a protocol searches all conformances of the program, and few command lines need it.
        guard folded.hasRuns || !split.command.isEmpty, var taking = command as? any TakesAddresses else {
            return command
        }
        taking.addresses = folded.unfolded(taking.addresses)
        guard var monitor = taking as? Monitor else { return taking }
        monitor.hook.exec = split.command
        return monitor
    }

    private func end(with error: any Error) -> Never {
        if let commandError = error as? CommandError {
            Output.report(commandError)
            Ipctl.exit(withError: commandError.status.code)
        }
        // Help, the version and completions, or an error that a command has already reported.
        let code = Ipctl.exitCode(for: error)
        guard code == .validationFailure, !(error is ExitCode) else {
            let text = Ipctl.fullMessage(for: error)
            guard code == .success, !text.isEmpty, !CommandName.isInternal(arguments) else {
                Ipctl.exit(withError: error)
            }
            // The parser would print the program's symbols unchanged in a locale without UTF-8.
            print(OutputCharacters.current.text(text))
            Ipctl.exit()
        }
        Output.report(Self.commandError(Ipctl.message(for: error), inFull: Ipctl.fullMessage(for: error)))
        Ipctl.exit(withError: ExitStatus.usage.code)
    }

    /// Converts a message from the parser to the style of the other messages. The parser's hints become the advice.
    private static func commandError(_ message: String, inFull full: String) -> CommandError {
        let hints = full.dropFirst((Ipctl._errorPrefix + message + "\n").count)
        var sentence = message[...]
        // Quoted text and abbreviations keep their case.
        let isWord = sentence.first?.isUppercase == true && sentence.dropFirst().first?.isLowercase == true
        if sentence.last == "." { sentence.removeLast() }
        let text = isWord ? sentence.prefix(1).lowercased() + sentence.dropFirst() : String(sentence)
        return CommandError(status: .usage, message: text.printableLines, advice: shortened(String(hints)))
    }

    /// Replaces the options of a long usage line with a placeholder; the help describes them.
    private static func shortened(_ hints: String) -> String {
        let lines = hints.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            guard line.hasPrefix("Usage: "), line.count > maxUsageColumns else { return String(line) }
            let brief = String(line).replacing(#/ \[-[^\]]*\]/#, with: "")
            return brief.replacing(#/^Usage: ipctl(?: [a-z]+)?/#) { "\($0.output) [options]" }
        }
        return lines.joined(separator: "\n")
    }

    private static let maxUsageColumns = 80
}
