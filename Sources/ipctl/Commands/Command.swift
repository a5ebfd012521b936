import ArgumentParser
import Control
import Glibc
import Varlink

/// A command of `ipctl`: what it does with a connection, and how it ends.
protocol Command: ParsableCommand {
    /// What was given before the command's name.
    var parent: Ipctl { get }
    /// What was given after it.
    var options: GlobalOptions { get }
    /// The options that it takes several times, with their dashes.
    static var optionsTakenAgain: Set<String> { get }

    /// Looks for what keeps the command from doing anything, before there is a connection.
    func prepare() throws(Complaint)

    /// - Returns: the exit status, where it is known only from the answer.
    func run(on connection: Connection, _ output: Output) throws(Complaint) -> ExitStatus
}

extension Command {
    static var optionsTakenAgain: Set<String> { [] }

    func prepare() throws(Complaint) {}

    var isJSON: Bool { options.json || parent.options.json }

    var socketPath: SocketPath { SocketPath(option: options.socket ?? parent.options.socket) }

    func run() throws {
        let output = Output(isJSON: isJSON)
        do throws(Complaint) {
            try prepare()
            let status = try run(on: try Connection(to: socketPath), output)
            try output.flush()
            try output.end()
            guard status == .done else { throw Complaint(status: status, message: "") }
        } catch {
            // What was printed before stays printed, and is looked at to the end; this error is the one that counts.
            try? output.flush()
            try? output.end()
            Output.complain(error)
            // Ended by the signal that it was told to end by: whoever started it has to know.
            if let signal = error.signal { SignalPipe.obey(signal) }
            throw error.status.code
        }
    }
}

extension ClientConversation.IncomingReply {
    /// The parameters as the method declares them.
    func decoded<Parameters: Decodable>(_ type: Parameters.Type) throws(Complaint) -> Parameters {
        do {
            return try parameters(as: type)
        } catch {
            throw Complaint(
                status: .software, message: "the daemon's reply cannot be understood: it may be of another version")
        }
    }
}
