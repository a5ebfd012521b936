import ArgumentParser

/// Of an option that is given again the parser takes the last, without a word of the others: that is no answer to what was
/// asked.
enum RepeatedOption {
    /// Before the command and after it, where the later counts.
    private static let everywhere: Set<String> = ["--socket", "--json"]

    static func check(_ arguments: [String], of command: any ParsableCommand) throws(Complaint) {
        guard let type = type(of: command) as? any Command.Type else { return }
        var seen: Set<String> = []
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("-") {
            let name = self.name(of: argument)
            guard !everywhere.contains(name), !type.optionsTakenAgain.contains(name) else { continue }
            guard seen.insert(name).inserted else {
                let command = type._commandName
                throw Complaint(
                    status: .usage, message: "\(name) is given twice, and \(command) takes it once",
                    advice: "What it takes tells: ipctl help \(command)")
            }
        }
    }

    private static func name(of argument: String) -> String {
        let name = String(argument.prefix { $0 != "=" })
        return name == "-t" ? "--tag" : name
    }
}
