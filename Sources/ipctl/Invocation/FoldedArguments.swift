/// Command-line arguments in which a placeholder replaces each long run of addresses during parsing.
///
/// The parser's time grows with the square of the number of arguments: 8,000 arguments take 18 s. The parser needs to
/// know only that an address is not an option.
struct FoldedArguments {
    private(set) var arguments: [String] = []
    /// The runs by their placeholders.
    private var runs: [String: ArraySlice<String>] = [:]

    /// The minimum length of a run that is replaced; shorter runs parse fast enough.
    private static let minRunLength = 100

    init(_ arguments: [String]) {
        var rest = arguments[...]
        while let next = rest.first {
            let run = rest.prefix { Self.looksLikeAddress($0) }
            // The argument after an option may be the value of the option.
            guard run.count >= Self.minRunLength, self.arguments.last?.hasPrefix("-") != true else {
                self.arguments.append(next)
                rest.removeFirst()
                continue
            }
            // The placeholder is not an address, and is understandable in an error message.
            let placeholder = "\(run.first ?? "") … \(run.last ?? "")"
            runs[placeholder] = run
            self.arguments.append(placeholder)
            rest = rest.dropFirst(run.count)
        }
    }

    /// Whether a placeholder replaces a run of addresses.
    var hasRuns: Bool { !runs.isEmpty }

    /// Returns the arguments with the runs in place of their placeholders.
    func unfolded(_ arguments: [String]) -> [String] {
        runs.isEmpty ? arguments : arguments.flatMap { runs[$0] ?? [$0] }
    }

    /// Whether an argument may be meant as an address. A host name counts as an address, because the command then
    /// reports it as invalid.
    private static func looksLikeAddress(_ argument: String) -> Bool {
        !argument.hasPrefix("-") && argument.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
    }
}
