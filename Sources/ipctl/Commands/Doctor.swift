import ArgumentParser
import Control

/// `ipctl doctor`
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look for what is wrong, and say what to do about it.",
        discussion: """
            Looks at the socket, the daemon, its store, the clock, the network, the provider and its quota, the records, \
            the watch lists and the configuration. What needs no daemon is looked at without one, too. Nothing is changed, \
            and the provider is not asked.

            A line each: ✓ is well, ! works for now or for some, ✗ does not work, – was not looked at, so that nobody \
            knows; below it what to do.

            Exit status: 0 nothing is wrong in what could be looked at; 1 something is; 69 no daemon answers.

            Examples:
              ipctl doctor
              sudo ipctl doctor                       sees what only root may look at
              ipctl --json doctor | jq 'select(.state != "ok")'
            """)

    @ParentCommand var parent: Ipctl
    @OptionGroup var options: GlobalOptions

    func run() throws {
        let output = Output(isJSON: options.json || parent.options.json)
        let socket = SocketPath(option: options.socket ?? parent.options.socket)
        do throws(Complaint) {
            var examination = Examination(patient: Patient(socket: socket.path), output: output)
            let status = try examination.run()
            guard status == .done else { throw Complaint(status: status, message: "") }
        } catch {
            Output.complain(error)
            throw error.status.code
        }
    }
}
