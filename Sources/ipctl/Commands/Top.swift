import ArgumentParser

/// The command `ipctl top`.
struct Top: Command {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Show the daemon and the watch list live, until q is pressed.",
        discussion: """
            Keys: arrows, j, k, PgUp, PgDn, Home and End select a row; Enter shows the card and the history of the \
            address; Space marks the row, and u removes all marks; r refreshes, p pins or unpins, and t tags the \
            marked rows or the selected one; / searches; s cycles through the states; Esc ends the search or goes \
            back; ? shows all keys; q quits. A click selects a row, and the wheel of the mouse scrolls.

            With filters, only the matching entries are shown.

            Examples:
              ipctl top
              ipctl top --tag prod --state stale --state failed
              NO_COLOR=1 ipctl top
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var reconnecting: ReconnectOptions

    @OptionGroup(title: "Filters") var filters: FilterOptions

    static let repeatableOptions = FilterOptions.repeatable

    func prepare() throws(CommandError) {
        guard !options.json else {
            throw CommandError(
                status: .usage, message: "top has no JSON output; use ipctl --json status or ipctl --json monitor")
        }
        _ = try TerminalScreen(.standardOutput)
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let screen = try TerminalScreen(output.terminal)
        let loop = try TopLoop(
            connection, screen, filter: filters.filter, reconnects: !reconnecting.noReconnect)
        // The terminal is restored first; then the shell must see that the signal ended the program.
        if let signal = try loop.run() { SignalPipe.performDefaultAction(signal) }
        return .done
    }
}
