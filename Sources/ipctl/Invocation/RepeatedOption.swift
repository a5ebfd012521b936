import ArgumentParser

/// Rejects repeated options, of which the parser would silently use only the last.
enum RepeatedOption {
    /// The options that are allowed both before and after the command; the later option applies.
    private static let globalOptions: Set<String> = ["--socket", "--json", "--timeout", "--utc", "--no-pager"]

    static func check(_ arguments: [String], of command: any ParsableCommand) throws(CommandError) {
        let repeated = repeatedOptions(in: arguments)
        guard !repeated.isEmpty, let type = type(of: command) as? any Command.Type else { return }
        guard let name = repeated.first(where: { !type.repeatableOptions.contains($0) }) else { return }
        throw CommandError(
            status: .usage, message: "\(name) can be given only once", advice: "See: ipctl help \(type._commandName)")
    }

    /// Returns the options that appear more than once, in the order of their second appearance, except global options.
    private static func repeatedOptions(in arguments: [String]) -> [String] {
        var seen = globalOptions
        return arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("-") }.map(name).filter {
            !seen.insert($0).inserted && !globalOptions.contains($0)
        }
    }

    private static func name(of argument: String) -> String {
        let name = String(argument.prefix { $0 != "=" })
        return name == "-t" ? "--tag" : name
    }
}
