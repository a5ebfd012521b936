import ArgumentParser

/// The command `ipctl top`.
struct Top: Command {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Show the daemon and the watch list live, until q is pressed.",
        discussion: """
            Keys: arrows, j, k, PgUp, PgDn and Home scroll; / searches; s cycles through the states; Esc clears the \
            filters; Ctrl-L redraws the screen; q quits.

            Examples:
              ipctl top
              NO_COLOR=1 ipctl top
            """)

    @OptionGroup var options: GlobalOptions

    @OptionGroup var reconnecting: ReconnectOptions

    func prepare() throws(CommandError) {
        guard !options.json else {
            throw CommandError(
                status: .usage, message: "top has no JSON output; use ipctl --json status or ipctl --json monitor")
        }
        _ = try TerminalScreen(.standardOutput)
    }

    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus {
        let screen = try TerminalScreen(output.terminal)
        let loop = try TopLoop(connection, screen, reconnects: !reconnecting.noReconnect)
        // The terminal is restored first; then the shell must see that the signal ended the program.
        if let signal = try loop.run() { SignalPipe.performDefaultAction(signal) }
        return .done
    }
}
