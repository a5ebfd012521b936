import ArgumentParser

/// `ipctl top`
struct Top: Command {
    static let configuration = CommandConfiguration(
        commandName: "top", abstract: "Show the daemon and the watch list live, until q is pressed.",
        discussion: """
            Keys: arrows, j, k, PgUp, PgDn and Home scroll; / searches; s shows one state after the other; Esc shows all \
            again; Ctrl-L draws anew; q quits.

            Examples:
              ipctl top
              NO_COLOR=1 ipctl top
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    func prepare() throws(Complaint) {
        guard !isJSON else {
            throw Complaint(
                status: .usage, message: "top has no JSON; ipctl --json status and ipctl --json monitor have")
        }
        _ = try TerminalScreen(.standardOutput)
    }

    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus {
        let screen = try TerminalScreen(output.terminal)
        // Ended by the signal that it was told to end by, once the terminal is as it was: the shell has to know.
        if let signal = try TopLoop(connection, screen).run() { SignalPipe.obey(signal) }
        return .done
    }
}
