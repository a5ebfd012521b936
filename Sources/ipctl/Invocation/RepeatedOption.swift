import ArgumentParser

/// Rejects repeated options, of which the parser would silently use only the last.
enum RepeatedOption {
    /// The options that are allowed both before and after the command; the later option applies.
    private static let globalOptions: Set<String> = ["--socket", "--json", "--timeout", "--utc", "--no-pager"]

    static func check(_ arguments: [String], of command: any ParsableCommand) throws(CommandError) {
        guard let type = type(of: command) as? any Command.Type else { return }
        var seen: Set<String> = []
        for argument in arguments.prefix(while: { $0 != "--" }) where argument.hasPrefix("-") {
            let name = self.name(of: argument)
            guard !globalOptions.contains(name), !type.repeatableOptions.contains(name) else { continue }
            guard seen.insert(name).inserted else {
                throw CommandError(
                    status: .usage, message: "\(name) can be given only once",
                    advice: "See: ipctl help \(type._commandName)")
            }
        }
    }

    private static func name(of argument: String) -> String {
        let name = String(argument.prefix { $0 != "=" })
        return name == "-t" ? "--tag" : name
    }
}
