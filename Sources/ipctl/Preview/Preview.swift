import Control
import Varlink

/// The changes that a command with `--dry-run` would make.
struct Preview {
    /// A line for each address that would change.
    let lines: [String]
    /// The document for `--json`.
    let document: Value
    /// The sentence that the command would print, in the conditional.
    let summary: String

    /// Prints the lines, and the summary on standard error, so that the lines can be piped.
    func print(to output: Output) throws(CommandError) {
        output.print(document, or: lines)
        // On a terminal, the summary follows the addresses.
        try output.flush()
        Output.printMessage(summary)
    }
}

extension Preview {
    /// A preview that shows only the addresses that would change.
    init(addresses: [String], summary: String) {
        self.init(
            lines: addresses, document: .object(["addresses": .array(addresses.map { .string($0) })]),
            summary: summary)
    }
}
