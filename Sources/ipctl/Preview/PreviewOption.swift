import ArgumentParser

/// The option `--dry-run` of commands that make changes.
struct PreviewOption: ParsableArguments {
    @Flag(help: "Print the addresses that would change, and change nothing.")
    var dryRun = false
}
