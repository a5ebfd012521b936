import ArgumentParser

/// The option of commands that change something to show what they would change.
struct PreviewOption: ParsableArguments {
    @Flag(help: "Print the addresses that would change, and change nothing.")
    var dryRun = false
}
