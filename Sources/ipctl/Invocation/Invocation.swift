import ArgumentParser

/// A command line: what is made of it, and how the program ends.
struct Invocation {
    /// Without the program's name.
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

    /// The command that the arguments name, with all that it takes.
    func parsed() throws -> any ParsableCommand {
        let folded = FoldedArguments(arguments)
        let command: any ParsableCommand
        do {
            command = try Ipctl.parseAsRoot(folded.arguments)
        } catch {
            // What the parser says of a word that it does not know is no help.
            try CommandName.check(arguments)
            throw error
        }
        // `help` shows everything where it does not know the word.
        try CommandName.check(arguments)
        try RepeatedOption.check(folded.arguments, of: command)
        guard var taking = command as? any TakesAddresses else { return command }
        taking.addresses = folded.unfolded(taking.addresses)
        return taking
    }

    private func end(with error: any Error) -> Never {
        if let complaint = error as? Complaint {
            Output.complain(complaint)
            Ipctl.exit(withError: complaint.status.code)
        }
        // Help, a version, completions; or what a command has told of already.
        guard Ipctl.exitCode(for: error) == .validationFailure, !(error is ExitCode) else {
            Ipctl.exit(withError: error)
        }
        Output.complain(Self.complaint(Ipctl.message(for: error), inFull: Ipctl.fullMessage(for: error)))
        Ipctl.exit(withError: ExitStatus.usage.code)
    }

    /// What the parser says, in the form in which all else is said; its hints come below.
    private static func complaint(_ message: String, inFull full: String) -> Complaint {
        let hints = full.dropFirst((Ipctl._errorPrefix + message + "\n").count)
        var sentence = message[...]
        // Not the first letter of what is quoted, and not of an abbreviation.
        let isWord = sentence.first?.isUppercase == true && sentence.dropFirst().first?.isLowercase == true
        if sentence.last == "." { sentence.removeLast() }
        let text = isWord ? sentence.prefix(1).lowercased() + sentence.dropFirst() : String(sentence)
        return Complaint(status: .usage, message: text.printableLines, advice: String(hints))
    }
}
