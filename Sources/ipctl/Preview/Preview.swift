import Control
import Varlink

/// The changes that a command with `--dry-run` would make.
struct Preview {
    /// The addresses that would change.
    let addresses: [String]
    /// The sentence that the command would print, in the conditional.
    let summary: String

    /// Prints an address per line, and the summary on standard error, so that the addresses can be piped.
    func print(to output: Output) throws(CommandError) {
        if output.isJSON {
            output.print(.object(["addresses": .array(addresses.map { .string($0) })]))
        } else {
            output.print(addresses)
        }
        // On a terminal, the summary follows the addresses.
        try output.flush()
        Output.printMessage(summary)
    }
}
