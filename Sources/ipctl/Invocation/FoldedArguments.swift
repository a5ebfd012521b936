/// Arguments in which a long run of addresses stands as one, until they have been parsed.
///
/// The parser takes a time that grows with the square of their number (8,000: 18 s), and of an address it wants to know no more
/// than that it is no option.
struct FoldedArguments {
    private(set) var arguments: [String] = []
    /// The runs by what stands for each.
    private var runs: [String: ArraySlice<String>] = [:]

    /// Below it the parser is quick enough.
    private static let shortestRun = 100

    init(_ arguments: [String]) {
        var rest = arguments[...]
        while let next = rest.first {
            let run = rest.prefix { Self.isLikeAnAddress($0) }
            // What follows an option may be its value.
            guard run.count >= Self.shortestRun, self.arguments.last?.hasPrefix("-") != true else {
                self.arguments.append(next)
                rest.removeFirst()
                continue
            }
            let standIn = Self.standIn(for: run)
            runs[standIn] = run
            self.arguments.append(standIn)
            rest = rest.dropFirst(run.count)
        }
    }

    /// Each run in the place of what stood for it.
    func unfolded(_ arguments: [String]) -> [String] {
        runs.isEmpty ? arguments : arguments.flatMap { runs[$0] ?? [$0] }
    }

    /// Also what a person takes for an address, such as a host's name: the command tells what is wrong with it.
    private static func isLikeAnAddress(_ argument: String) -> Bool {
        !argument.hasPrefix("-") && argument.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: ":") }
    }

    /// No address, and what a person understands who finds it in an error.
    private static func standIn(for run: ArraySlice<String>) -> String {
        "\(run.first ?? "") … \(run.last ?? "")"
    }
}
