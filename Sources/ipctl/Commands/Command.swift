import ArgumentParser
import Control
import Glibc
import Varlink

/// A command of `ipctl` that needs a connection to the daemon.
protocol Command: ParsableCommand {
    /// The options before or after the command's name.
    var options: GlobalOptions { get }
    /// The options that can be repeated, with their dashes.
    static var repeatableOptions: Set<String> { get }

    /// Validates the arguments and the environment before the connection is made.
    func prepare() throws(CommandError)

    /// - Returns: the exit status.
    func run(on connection: DaemonConnection, _ output: Output) throws(CommandError) -> ExitStatus
}

extension Command {
    static var repeatableOptions: Set<String> { [] }

    func prepare() throws(CommandError) {}

    func run() throws {
        try options.withTimes { try runWithTimes() }
    }

    private func runWithTimes() throws {
        let output = Output(isJSON: options.json, allowsPager: !options.noPager)
        do throws(CommandError) {
            try prepare()
            let status = try run(
                on: try DaemonConnection(
                    to: SocketPath(option: options.socket), limits: TimeLimits(timeout: options.timeout)), output)
            try output.flush()
            try output.end()
            guard status == .done else { throw CommandError(status: status, message: "") }
        } catch {
            // Earlier output is still written and paged; only the first error is reported.
            try? output.flush()
            try? output.end()
            Output.report(error)
            // The parent process must see that the signal ended the program.
            if let signal = error.signal { SignalPipe.performDefaultAction(signal) }
            throw error.status.code
        }
    }
}

extension ClientConversation.IncomingReply {
    /// Decodes the parameters of the reply.
    func decoded<Parameters: Decodable>(_ type: Parameters.Type) throws(CommandError) -> Parameters {
        do {
            return try parameters(as: type)
        } catch {
            throw .unreadableReply
        }
    }
}
